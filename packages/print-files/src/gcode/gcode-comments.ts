/** Longer lines are cut, as in the streaming pass. */
const maxLineLength = 64 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The comments in the first and the last part of a G-code file, as the dialects read them. */
export interface GcodeComments {
  /** Every comment line in its order, from the `;` on, without line end. */
  lines: string[]
  /** `; key = value`. What stands later wins: slicers that write a value twice know it better at the end. */
  settings: Map<string, string>
  /** `; key: value`. What stands first wins: headers come first, and bodies repeat short keys for each layer. */
  headers: Map<string, string>
}

/** Reads the comments of G-code. Text is UTF-8, and Latin-1 where a line is not valid UTF-8. */
export function readComments(...parts: Buffer[]): GcodeComments {
  const comments: GcodeComments = { lines: [], settings: new Map(), headers: new Map() }
  let isInThumbnail = false
  for (const part of parts) {
    for (const line of part.toString('latin1').split('\n')) {
      const found = /^\s*(?:\u00ef\u00bb\u00bf)?(;.*)$/s.exec(line.slice(0, maxLineLength).trimEnd())?.[1]
      if (found === undefined) continue
      if (/^; thumbnail\S* (begin|end)/.test(found)) isInThumbnail = found.includes(' begin')
      else if (!isInThumbnail) addComment(comments, decodeLatin1(found))
    }
  }
  return comments
}

/** Text of bytes that were read as Latin-1 but are UTF-8 when they can be. */
function decodeLatin1(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: asks whether there is anything beyond ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch (error) {
    if (error instanceof TypeError) return text
    throw error
  }
}

function addComment(comments: GcodeComments, line: string): void {
  comments.lines.push(line)
  const setting = /^;+\s*([A-Za-z_][^=:]{0,100}?)\s*=\s*(.*)$/s.exec(line)
  if (setting !== null) {
    comments.settings.set(setting[1]!, setting[2]!)
    return
  }
  const header = /^;+\s*([A-Za-z_][^=:]{0,100}?)\s*:\s*(.*)$/s.exec(line)
  if (header !== null && !comments.headers.has(header[1]!)) comments.headers.set(header[1]!, header[2]!)
}
