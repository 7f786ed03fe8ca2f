import type { CompiledMessage } from '@lingui/message-utils/compileMessage'

type Token = CompiledMessage[number]

/** Messages are compiled once: a list of hundreds of rows asks for the same one again and again. */
export function messageCompiler(): (message: string) => CompiledMessage {
  const known = new Map<string, CompiledMessage>()
  return (message) => {
    let compiled = known.get(message)
    if (compiled === undefined) {
      compiled = compileMessage(message)
      known.set(message, compiled)
    }
    return compiled
  }
}

/**
 * The part of ICU MessageFormat that texts of the dashboard are written in: `{name}`, `{count, plural, one {# job} other
 * {# jobs}}` and quotes before braces. Lingui's own compiler takes 6.5 KB more on the way to the first page, for dates and numbers
 * by skeletons that nothing here uses; a test holds the two against each other for every message.
 */
export function compileMessage(message: string): CompiledMessage {
  let at = 0
  const fault = (what: string) => new Error(`${what} at ${at} of the message: ${message}`)

  const read = (isPlural: boolean, isInner: boolean): Token[] => {
    const tokens: Token[] = []
    let text = ''
    const end = () => {
      if (text !== '') tokens.push(text)
      text = ''
    }
    for (; at < message.length; at += 1) {
      const sign = message[at]
      if (sign === "'" && message[at + 1] === "'") {
        text += sign
        at += 1
      } else if (sign === "'" && /[{}]/.test(message[at + 1] ?? '')) {
        const close = message.indexOf("'", at + 1)
        text += message.slice(at + 1, close < 0 ? undefined : close)
        at = close < 0 ? message.length : close
      } else if (sign === '{') {
        end()
        tokens.push(readArgument())
      } else if (sign === '}' && isInner) {
        break
      } else if (sign === '#' && isPlural) {
        end()
        tokens.push('#')
      } else text += sign
    }
    end()
    return tokens
  }

  const readArgument = (): Token => {
    const [whole, name, kind] = /^\{\s*(\w+)\s*(?:,\s*plural\s*(,)|(?=\}))/.exec(message.slice(at)) ?? []
    if (whole === undefined || name === undefined) throw fault('This is no argument')
    at += whole.length
    if (kind === undefined) return [name]
    const cases: Record<string, CompiledMessage> = {}
    for (;;) {
      const [branch, key] = /^\s*=?(\w+)\s*\{/.exec(message.slice(at)) ?? []
      if (branch === undefined || key === undefined) break
      at += branch.length
      cases[key] = read(true, true)
      at += 1
    }
    at += /^\s*/.exec(message.slice(at))?.[0].length ?? 0
    if (message[at] !== '}' || cases.other === undefined) throw fault('This plural has no end or no “other”')
    return [name, 'plural', cases] as Token
  }

  return read(false, false)
}
