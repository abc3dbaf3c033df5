const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

/**
 * README as a registry's page shows it: that page has no files beside it, so each relative link gets the address of the
 * repository at the tag of this version.
 */
export function registryPage(readme, { repository, version }) {
  const web = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const address = (kind, path) => new URL(path, `${web}/${kind}/v${version}/`).href;
  const replaced = (_link, bang, text, target) =>
    `${bang}[${registryLinks(text)}](${isRelative(target) ? address(bang ? 'raw' : 'blob', target) : target})`;
  const registryLinks = (text) => text.replace(LINK, replaced);
  return readme
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : registryLinks(part)))
    .join('');
}

/** Targets of links, for tests too. */
export const linksOf = (markdown) => [...markdown.matchAll(LINK)].map(([, , , target]) => target);

const isRelative = (target) => !/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target);
