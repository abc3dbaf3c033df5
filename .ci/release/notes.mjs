/** The part of CHANGELOG.md for a version, which becomes the text of its release. Throws if the version has none. */
export function releaseNotes(changelog, version) {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (start < 0) {
    throw new Error(`CHANGELOG.md has no heading "## [${version}]". Rename "## [Unreleased]" and add the date.`);
  }
  const end = lines.findIndex((line, at) => at > start && line.startsWith('## '));
  const text = lines
    .slice(start + 1, end < 0 ? undefined : end)
    .join('\n')
    .trim();
  if (text === '') throw new Error(`"## [${version}]" of CHANGELOG.md has no text.`);
  return `${text}\n`;
}
