/** Answers what follows the first `bytes` of these buffers. */
export function skipBytes<T extends Uint8Array>(buffers: T[], bytes: number): T[] {
  let left = bytes
  for (const [index, buffer] of buffers.entries()) {
    if (left < buffer.length) return [buffer.subarray(left) as T, ...buffers.slice(index + 1)]
    left -= buffer.length
  }
  return []
}
