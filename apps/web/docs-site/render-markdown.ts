import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from './escape-html.ts'
import { makeSlugger } from './site-paths.ts'

/** A part of a page under a heading of its own. */
export interface Section {
  heading: string
  /** Anchor within the page; empty for what comes before the first heading below the title. */
  anchor: string
  /** Its words without any form. */
  text: string
}

export interface Rendered {
  title: string
  html: string
  sections: Section[]
}

interface Links {
  /** The HTML of a link with this inner HTML. */
  link(href: string, inner: string): string
  /** The HTML of a picture. */
  image(href: string, alt: string): string
}

/** A Markdown text as HTML. HTML in it is shown as it is typed, but for pictures. */
export function renderMarkdown(text: string, links: Links): Rendered {
  const slug = makeSlugger()
  const parser = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens)
        const anchor = slug(plainText(tokens))
        return depth === 1
          ? `<h1>${inner}</h1>\n`
          : `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${stripLinks(inner)}</a></h${depth}>\n`
      },
      code({ text: code, lang }: Tokens.Code) {
        return `<pre tabindex="0"${lang ? ` data-language="${escapeHtml(lang)}"` : ''}><code>${escapeHtml(code)}\n</code></pre>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        return links.link(href, this.parser.parseInline(tokens))
      },
      image({ href, text: alt }: Tokens.Image) {
        return links.image(href, alt)
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>\n${body}\n</tbody></table></div>\n`
      },
      html({ text: html, block }: Tokens.HTML | Tokens.Tag) {
        const picture = readPicture(html)
        const shown = picture ? links.image(picture.src, picture.alt) : escapeHtml(html)
        return block ? `<p>${shown}</p>\n` : shown
      },
    },
  })
  const tokens = parser.lexer(text)
  const sections = sectionsOf(tokens)
  return { title: sections[0]?.heading ?? '', html: parser.parser(tokens), sections }
}

/** `<img src="…" alt="…">`, by which a width is given where Markdown has none. */
function readPicture(html: string): { src: string; alt: string } | undefined {
  const [, attributes] = /^\s*<img\s([^>]*)>\s*$/.exec(html) ?? []
  const [, src] = /\bsrc="([^"]*)"/.exec(attributes ?? '') ?? []
  const [, alt = ''] = /\balt="([^"]*)"/.exec(attributes ?? '') ?? []
  return src === undefined ? undefined : { src, alt }
}

/** A heading is a link to itself; a link within it would be one within another. */
const stripLinks = (html: string) => html.replaceAll(/<\/?a\b[^>]*>/g, '')

function sectionsOf(tokens: readonly Token[]): Section[] {
  const slug = makeSlugger()
  const sections: Section[] = []
  let open: Section = { heading: '', anchor: '', text: '' }
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = plainText(token.tokens ?? [])
      const anchor = slug(heading)
      open = { heading, anchor: token.depth === 1 ? '' : anchor, text: '' }
      sections.push(open)
    } else {
      open.text = `${open.text} ${plainText([token])}`.trim()
    }
  }
  return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ') }))
}

/** The words of tokens, one after another. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows].map((cells) => cells.map((cell) => plainText(cell.tokens)).join(' ')).join(' ')
      }
      if (token.type === 'list') {
        return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
      }
      if (token.type === 'html') return ''
      if (token.type === 'space' || token.type === 'br') return ' '
      if ('tokens' in token && token.tokens) return plainText(token.tokens)
      return 'text' in token ? String(token.text) : ''
    })
    .join('')
}
