export async function drawTimeline(): Promise<string | undefined> {
  return undefined;
}
