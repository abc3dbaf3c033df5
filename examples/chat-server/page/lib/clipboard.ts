/** Also where the page is not on loopback: browsers keep `navigator.clipboard` for secure contexts. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'off-screen';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
