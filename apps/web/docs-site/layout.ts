import { escapeHtml } from './escape-html.ts'
import { siteRoot } from './site-paths.ts'

/** A page in the contents. */
interface Entry {
  path: string
  title: string
}

export interface ContentsGroup {
  title: string
  entries: readonly Entry[]
}

interface PageParts {
  title: string
  /** Address below the root of the site; undefined for a page that stands in no contents. */
  path?: string
  contents: readonly ContentsGroup[]
  /** HTML of the page itself. */
  html: string
  /** What stands in the search field, as HTML. */
  query?: string
}

/** A whole page. It has no script: what folds and searches does so by elements of HTML alone. */
export function layOut({ title, path, contents, html, query = '' }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Printyard documentation</title>
<link rel="stylesheet" href="${siteRoot}/docs.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${siteRoot}">Printyard documentation</a>
<form role="search" action="${siteRoot}/search" method="get">
<input type="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Search" maxlength="100" required>
<button type="submit">Search</button>
</form>
<a class="to-contents" href="#contents">Contents</a>
<a href="/">Dashboard</a>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${html}
</main>
<nav id="contents" aria-label="Contents">
${contents.map((group) => contentsGroup(group, path)).join('\n')}
</nav>
</div>
</body>
</html>
`
}

function contentsGroup({ title, entries }: ContentsGroup, current: string | undefined): string {
  const links = entries.map(
    (entry) =>
      `<li><a href="${addressOf(entry.path)}"${entry.path === current ? ' aria-current="page"' : ''}>${escapeHtml(entry.title)}</a></li>`,
  )
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${links.join('\n')}\n</ul>`
}

/** The first page: all contents, beside one another. */
export function homeHtml(contents: readonly ContentsGroup[]): string {
  const groups = contents.map((group) => `<section>\n${contentsGroup(group, undefined)}\n</section>`)
  return `<h1>Documentation</h1>
<p>Guides, the reference of the API with examples, and every error code. All of it comes from this service and needs no internet.</p>
<div class="groups">
${groups.join('\n')}
</div>`
}

/** The address of a page, with the anchor of a part of it. */
export function addressOf(path: string, anchor = ''): string {
  return `${siteRoot}${path === '' ? '' : `/${path}`}${anchor === '' ? '' : `#${anchor}`}`
}
