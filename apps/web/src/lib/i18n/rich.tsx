import { Fragment, type ReactNode } from 'react'
import { translated } from './messages.ts'
import type { Names } from './t.ts'

type Tags<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}` ? Tag | Tags<Rest> : never

type RichValues<Text extends string> = Readonly<
  Record<Names<Text>, ReactNode> & Record<Tags<Text>, (words: ReactNode) => ReactNode>
>

type RichProps<Text extends string> = { text: Text } & ([Names<Text> | Tags<Text>] extends [never]
  ? { values?: undefined }
  : { values: RichValues<Text> })

/**
 * A text with elements in it: `<Rich text="Changed {time}. <link>Undo</link>" values={{ time: <Time at={at} />, link: (words) =>
 * <Anchor>{words}</Anchor> }} />`. Values are never read for tags, whatever people have typed.
 */
export function Rich<const Text extends string>({ text, values }: RichProps<Text>): ReactNode {
  const given = (values ?? {}) as Record<string, ReactNode | ((words: ReactNode) => ReactNode)>
  const nodes: ReactNode[] = []
  const plain: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'number') plain[name] = value
    else if (typeof value !== 'function') plain[name] = mark(nodes.push(value) - 1)
  }
  return withTags(translated(text, plain), given, nodes)
}

/** Signs that no text has stand for a value until the words around it are found. */
const mark = (index: number) => `\uE000${index}\uE001`
const pieces = /\uE000(\d+)\uE001|<(\w+)>(.*?)<\/\2>/su

function withTags(
  text: string,
  given: Record<string, ReactNode | ((words: ReactNode) => ReactNode)>,
  nodes: readonly ReactNode[],
): ReactNode {
  const parts: ReactNode[] = []
  let rest = text
  for (let found = pieces.exec(rest); found !== null; found = pieces.exec(rest)) {
    const [whole, index, tag = '', words = ''] = found
    if (found.index > 0) parts.push(rest.slice(0, found.index))
    const draw = given[tag]
    if (index !== undefined) parts.push(nodes[Number(index)])
    else parts.push(typeof draw === 'function' ? draw(withTags(words, given, nodes)) : words)
    rest = rest.slice(found.index + whole.length)
  }
  if (rest !== '') parts.push(rest)
  // Their order is that of the text, which does not change while it is shown.
  return parts.map((part, place) => <Fragment key={String(place)}>{part}</Fragment>)
}
