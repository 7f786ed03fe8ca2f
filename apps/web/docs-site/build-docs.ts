import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { shelves } from './contents.ts'
import { escapeHtml } from './escape-html.ts'
import { explorerFiles } from './explorer.ts'
import { addressOf, homeHtml, layOut } from './layout.ts'
import { listContents, readSources, type Source } from './read-pages.ts'
import type { ApiDescription } from './reference/api-description.ts'
import { printReference } from './reference/print-reference.ts'
import { type Rendered, renderMarkdown } from './render-markdown.ts'
import { pagePath, readLink, siteRoot } from './site-paths.ts'

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** A part of a page that the search finds. */
interface FoundPart {
  page: string
  heading: string
  url: string
  text: string
}

/** What pages lead to, and what is wrong with it. */
interface SiteParts {
  /** Files of the repository that are pages. */
  known: ReadonlySet<string>
  pictures: Set<string>
  broken: string[]
}

/** The documentation as files by their path below the root of the site. */
interface Site {
  files: Map<string, string | Buffer>
  /** Links that lead to nothing, each with the page that has it. */
  broken: string[]
}

/** Builds all pages, the index of the search and what they show. */
export function buildSite(root: string, description: ApiDescription): Site {
  const sources = readSources(root)
  const known = new Set(sources.map(({ source }) => source))
  const site: SiteParts = { known, pictures: new Set(), broken: [] }
  const guides = sources.map((source) => ({ ...source, ...renderGuide(root, source, site) }))
  const reference = printReference(description)
  const titles = new Map(guides.map(({ source, title }) => [source, title]))
  const decisions = shelves.filter(({ folder }) => !titles.has(`${folder}/README.md`))
  const contents = listContents(titles, {
    API: [{ path: 'api/reference', title: 'Reference' }],
    Development: decisions.map(({ folder, title }) => ({ path: pagePath(`${folder}/README.md`) ?? '', title })),
  })
  const pages: (Rendered & { path: string })[] = [
    ...guides,
    ...reference,
    ...decisions.map(({ folder, title }) => shelfPage(folder, title, guides)),
  ]
  const files = new Map<string, string | Buffer>()
  files.set('index.html', layOut({ title: 'Home', path: '', contents, html: homeHtml(contents) }))
  for (const { path, title, html } of pages) files.set(`${path}.html`, layOut({ title, path, contents, html }))
  for (const picture of site.pictures) files.set(picture.replace(/^docs\//, ''), readFileSync(join(root, picture)))
  files.set('docs.css', readFileSync(join(import.meta.dirname, 'docs.css'), 'utf8'))
  files.set('search.json', JSON.stringify(pages.flatMap(foundParts)))
  // The service writes into it what was asked for and found.
  const results = '<h1>Search</h1>\n%RESULTS%'
  files.set('search.template.html', layOut({ title: 'Search', contents, html: results, query: '%QUERY%' }))
  const missing = '<h1>There is no such page</h1>\n<p>Search for it, or choose it from the contents.</p>'
  files.set('missing.html', layOut({ title: 'No such page', contents, html: missing }))
  return { files, broken: [...site.broken, ...findBroken(files)] }
}

function renderGuide(root: string, { source, text }: Source, site: SiteParts): Rendered {
  return renderMarkdown(text, {
    link(href, inner) {
      const target = readLink(href, source)
      if (target.kind === 'outside')
        return `<a href="${escapeHtml(target.href)}" rel="noopener noreferrer">${inner}</a>`
      if (target.kind === 'service') return `<a href="${escapeHtml(target.href)}">${inner}</a>`
      const shelf = shelves.find(({ folder }) => folder === target.path)
      const path = pagePath(shelf ? `${shelf.folder}/README.md` : target.path)
      if (path !== undefined && (shelf || site.known.has(target.path))) {
        return `<a href="${addressOf(path, target.hash)}">${inner}</a>`
      }
      if (!existsSync(join(root, target.path))) site.broken.push(`${source}: ${href}`)
      // What is in the repository alone is named, as there is no address for it that holds everywhere.
      return `<span class="source">${inner} (<code>${escapeHtml(target.path)}</code> of the sources)</span>`
    },
    image(href, alt) {
      const target = readLink(href, source)
      if (target.kind !== 'file') return escapeHtml(alt)
      site.pictures.add(target.path)
      return `<img src="${siteRoot}/${target.path.replace(/^docs\//, '')}" alt="${escapeHtml(alt)}" loading="lazy">`
    },
  })
}

/** The pages of a folder that has no page of its own. */
function shelfPage(folder: string, title: string, guides: readonly (Source & Rendered)[]): Rendered & { path: string } {
  const entries = guides.filter(({ source }) => source.startsWith(`${folder}/`))
  const links = entries.map((guide) => `<li><a href="${addressOf(guide.path)}">${escapeHtml(guide.title)}</a></li>`)
  const html = `<h1>${escapeHtml(title)}</h1>\n<ul>\n${links.join('\n')}\n</ul>`
  return { path: pagePath(`${folder}/README.md`) ?? '', title, html, sections: [] }
}

function foundParts({ path, title, sections }: Rendered & { path: string }): FoundPart[] {
  return sections.map(({ heading, anchor, text }) => ({ page: title, heading, url: addressOf(path, anchor), text }))
}

/** Looks at every address in every page: whether it is a page, a picture or a heading that there is. */
export function findBroken(files: ReadonlyMap<string, string | Buffer>): string[] {
  const broken: string[] = []
  const anchors = new Map<string, Set<string>>()
  for (const [name, html] of files) {
    if (typeof html === 'string' && name.endsWith('.html')) {
      anchors.set(name, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id ?? '')))
    }
  }
  for (const [name, html] of files) {
    if (typeof html !== 'string' || !name.endsWith('.html')) continue
    for (const [, address = ''] of html.matchAll(/\s(?:href|src|action)="([^"]*)"/g)) {
      if (!leadsSomewhere(address, name)) broken.push(`${name}: ${address}`)
    }
  }
  function leadsSomewhere(address: string, from: string): boolean {
    if (/^(?:https?|mailto):/.test(address)) return true
    const [path = '', hash = ''] = address.split('#')
    if (path !== '' && path !== siteRoot && !path.startsWith(`${siteRoot}/`)) return knownElsewhere.has(path)
    const below = path.slice(siteRoot.length + 1)
    const file = path === '' ? from : below === '' ? 'index.html' : files.has(below) ? below : `${below}.html`
    if (below === 'search' || below === 'explorer') return true
    return files.has(file) && (hash === '' || anchors.get(file)?.has(hash) === true)
  }
  return broken
}

/** Addresses of the service outside of the documentation that its pages lead to. */
const knownElsewhere = new Set(['/', '/favicon.svg', '/public/v1/openapi.json'])

if (import.meta.main) {
  const { values } = parseArgs({ options: { output: { type: 'string' }, description: { type: 'string' } } })
  if (values.output === undefined || values.description === undefined) {
    throw new Error('usage: build-docs.ts --description FILE --output FOLDER')
  }
  // Printed by this version's own command.
  const { files, broken } = buildSite(projectRoot, JSON.parse(readFileSync(values.description, 'utf8')))
  if (broken.length > 0) throw new Error(`links of the documentation lead to nothing:\n${broken.join('\n')}`)
  for (const [name, content] of [...files, ...explorerFiles()]) {
    const path = join(values.output, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    if (/\.(html|css|js)$/.test(name) && !name.endsWith('.template.html'))
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
  }
}
