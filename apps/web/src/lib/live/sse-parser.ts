export interface SseMessage {
  /** The last id seen so far; undefined: none yet. */
  id: string | undefined
  event: string
  data: string
}

/**
 * Reads a `text/event-stream` (HTML standard, 9.2.6) piece by piece, however the network cuts it. Comments give no
 * message. Text after the last blank line waits for the next piece.
 */
export function createSseParser(): (text: string) => SseMessage[] {
  let rest = ''
  let id: string | undefined
  let event = ''
  let data: string[] = []

  return (text) => {
    const messages: SseMessage[] = []
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) messages.push({ id, event: event || 'message', data: data.join('\n') })
        event = ''
        data = []
        continue
      }
      const colon = line.indexOf(':')
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'data') data.push(value)
      else if (field === 'event') event = value
      else if (field === 'id' && !value.includes('\0')) id = value
    }
    return messages
  }
}
