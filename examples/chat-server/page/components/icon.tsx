const PATHS = {
  plus: 'M12 5v14M5 12h14',
  pencil: 'M4 20h4L19 9l-4-4L4 16v4zM13 7l4 4',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  again: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4',
  list: 'M4 7h16M4 12h16M4 17h10',
  clip: 'M8 12.5l6-6a3 3 0 0 1 4.2 4.2l-8 8a5 5 0 0 1-7-7l7.5-7.5',
  up: 'M12 19V6M6 11.5L12 5.5l6 6',
  stop: 'M7 7h10v10H7z',
  left: 'M14.5 6l-6 6 6 6',
  right: 'M9.5 6l6 6-6 6',
  down: 'M6 9.5l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14M16 16l4.5 4.5',
  pin: 'M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v5',
  settings: 'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3M15 5v4M9 10v4M15 15v4',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5',
} as const;

/** Decoration beside a name, never instead of one. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg className="glyph" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
