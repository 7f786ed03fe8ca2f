import { posix } from 'node:path'

/** Where the pages are served. */
export const siteRoot = '/docs'

/** Pages whose address is not that of their file below `docs/`. */
const elsewhere: Readonly<Record<string, string>> = {
  'README.md': 'overview',
  'CONTRIBUTING.md': 'contributing',
  'packages/sdk/README.md': 'api/sdk',
  'packages/sdk-python/README.md': 'api/sdk-python',
}

/** The address of a page below the root of the site, such as `operating/backups` of `docs/operating/backups.md`; undefined where it has none. */
export function pagePath(source: string): string | undefined {
  const named = elsewhere[source]
  if (named !== undefined) return named
  const [, inDocs] = /^docs\/(.+)\.md$/.exec(source) ?? []
  return inDocs?.replace(/\/README$/, '')
}

/** What a link leads to: an address of the web, a page or picture of the site, or a file of the repository that is not in the site. */
type LinkTarget =
  | { kind: 'outside'; href: string }
  | { kind: 'file'; path: string; hash: string }
  | { kind: 'service'; href: string }

/** Reads a link as it is written in a file of the repository. */
export function readLink(href: string, source: string): LinkTarget {
  if (/^(?:https?|mailto):/.test(href)) return { kind: 'outside', href }
  if (href.startsWith('/')) return { kind: 'service', href }
  const [path = '', hash = ''] = href.split('#')
  const folder = posix.dirname(source)
  const target = path === '' ? source : posix.normalize(posix.join(folder, path)).replace(/\/$/, '')
  return { kind: 'file', path: target, hash }
}

/** Anchors of headings, made as those who host repositories make them. */
export function makeSlugger(): (heading: string) => string {
  const taken = new Map<string, number>()
  return (heading) => {
    const base = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = taken.get(base) ?? 0
    taken.set(base, count + 1)
    return count === 0 ? base : `${base}-${count}`
  }
}
