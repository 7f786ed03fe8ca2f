/** A line that ends the part of a file in which a print pushes itself off the plate. */
const endOfEjection = /^; ejection end\s*$/m

/** Longer than the mark and what may follow it: the checksum of a binary file. */
const tailBytes = 256

/** Passes a file on unchanged and tells, once it has passed, whether its last lines push the print off. */
export function watchForEjection(content: AsyncIterable<Uint8Array>): {
  content: AsyncIterable<Uint8Array>
  ejects(): boolean
} {
  let tail = Buffer.alloc(0)
  async function* passed() {
    for await (const chunk of content) {
      tail = Buffer.from(Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes))
      yield chunk
    }
  }
  // Byte by byte: the checksum at the end of a binary file is no text.
  return { content: passed(), ejects: () => endOfEjection.test(tail.toString('latin1')) }
}
