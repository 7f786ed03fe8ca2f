import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groups, leftOut, shelves } from './contents.ts'
import type { ContentsGroup } from './layout.ts'
import { pagePath } from './site-paths.ts'

/** A Markdown file of the repository that is a page. */
export interface Source {
  /** Path in the repository. */
  source: string
  /** Address below the root of the site. */
  path: string
  text: string
}

/** Every Markdown file of `docs/` and those that the contents name besides. */
export function readSources(root: string): Source[] {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  const named = groups.flatMap(({ sources }) => sources)
  const all = new Set([...named, ...inDocs.sort()])
  return [...all]
    .filter((source) => !leftOut.includes(source))
    .map((source) => {
      const path = pagePath(source)
      if (path === undefined) throw new Error(`${source} has no address in the documentation: see site-paths.ts`)
      return { source, path, text: readFileSync(join(root, source), 'utf8') }
    })
}

/** The contents, with the titles of the pages; the pages that are not listed lead to an error. */
export function listContents(
  titles: ReadonlyMap<string, string>,
  more: Readonly<Record<string, ContentsGroup['entries']>>,
): ContentsGroup[] {
  return groups.map(({ title, sources }) => ({
    title,
    entries: [
      ...sources.map((source) => {
        const found = titles.get(source)
        if (found === undefined) throw new Error(`the contents name ${source}, which is no page`)
        return { path: pagePath(source) ?? '', title: shortTitle(found) }
      }),
      ...(more[title] ?? []),
    ],
  }))
}

/** What is neither in the contents nor in a folder that is reached from them. */
export function unlisted(sources: readonly Source[]): string[] {
  const named = new Set(groups.flatMap((group) => group.sources))
  return sources
    .map(({ source }) => source)
    .filter((source) => !named.has(source) && !shelves.some(({ folder }) => source.startsWith(`${folder}/`)))
}

/** `Orders` of `Orders: from a shop to a parcel`. */
const shortTitle = (title: string) => title.split(/: /)[0] ?? title
