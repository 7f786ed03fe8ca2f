import { Anchor, Checkbox, Code, List, Table, Text } from '@mantine/core'
import { marked, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { addressOfLink, addressOfPicture } from './safe-addresses.ts'
import './markdown.css'

/**
 * A text in Markdown. What is written becomes elements of this page, one by one: HTML in it is shown as it is typed, and a
 * link leads nowhere but to http, https, mail or this page's own addresses.
 */
export function Markdown({ text }: { text: string }) {
  return <div className="markdown">{renderAll(marked.lexer(text, { gfm: true }))}</div>
}

function renderAll(tokens: readonly Token[] | undefined): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no name but their place
  return (tokens ?? []).map((token, index) => <Fragment key={index}>{render(token)}</Fragment>)
}

const headings = ['h3', 'h4', 'h5', 'h6'] as const

function render(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return <p>{renderAll(token.tokens)}</p>
    case 'heading': {
      // The page has its title, and what is around the text a heading of its own.
      const Heading = headings[Math.min(token.depth, headings.length) - 1] ?? 'h6'
      return <Heading>{renderAll(token.tokens)}</Heading>
    }
    case 'blockquote':
      return <blockquote>{renderAll(token.tokens)}</blockquote>
    case 'code':
      return <Code block>{token.text}</Code>
    case 'codespan':
      return <Code>{token.text}</Code>
    case 'list':
      return renderList(token as Tokens.List)
    case 'table':
      return renderTable(token as Tokens.Table)
    case 'hr':
      return <hr />
    case 'br':
      return <br />
    case 'strong':
      return <strong>{renderAll(token.tokens)}</strong>
    case 'em':
      return <em>{renderAll(token.tokens)}</em>
    case 'del':
      return <del>{renderAll(token.tokens)}</del>
    case 'link':
      return renderLink(token as Tokens.Link)
    case 'image':
      return renderImage(token as Tokens.Image)
    case 'html':
      return token.block ? <p>{token.text}</p> : token.text
    case 'text':
      return token.tokens ? renderAll(token.tokens) : plainSigns(token.text)
    case 'escape':
      return plainSigns(token.text)
    default:
      return token.raw
  }
}

function renderList({ ordered, start, items }: Tokens.List): ReactNode {
  return (
    <List type={ordered ? 'ordered' : 'unordered'} {...(ordered && typeof start === 'number' && { start })} withPadding>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no name but their place
        <List.Item key={index}>
          {item.task ? (
            <Checkbox label={renderAll(withoutBox(item.tokens))} checked={item.checked ?? false} readOnly size="xs" />
          ) : (
            renderAll(item.tokens)
          )}
        </List.Item>
      ))}
    </List>
  )
}

const withoutBox = (tokens: Token[]) => tokens.filter(({ type }) => type !== 'checkbox')

function renderTable({ header, rows }: Tokens.Table): ReactNode {
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            {header.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name but their place
              <Table.Th key={index}>{renderAll(cell.tokens)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place
            <Table.Tr key={place}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name but their place
                <Table.Td key={index}>{renderAll(cell.tokens)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function renderLink({ href, tokens, text }: Tokens.Link): ReactNode {
  const address = addressOfLink(href)
  if (address === undefined) return <Text span>{renderAll(tokens)}</Text>
  const isOwn = address.startsWith('/')
  return (
    <Anchor href={address} inherit {...(!isOwn && { target: '_blank', rel: 'noopener noreferrer' })}>
      {tokens.length > 0 ? renderAll(tokens) : text}
    </Anchor>
  )
}

function renderImage({ href, text }: Tokens.Image): ReactNode {
  const own = addressOfPicture(href)
  if (own !== undefined) return <img src={own} alt={text} loading="lazy" />
  // The policy of the page loads no pictures of others.
  return renderLink({ href, text, tokens: [{ type: 'text', raw: text, text: text || href }] } as unknown as Tokens.Link)
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The signs behind the names that texts hold in the place of some. */
function plainSigns(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => named[name] ?? '')
}
