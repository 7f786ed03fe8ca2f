/** A search as it is typed, beside the address in which it stands a moment later. */
export interface SearchText {
  typed: string
  /** As it stood in the address when it was looked at last. */
  shown: string
  /** What was typed and is on its way into the address, in order. */
  sent: readonly string[]
}

/** Goes by what the address says now. What comes of one's own typing does not undo what was typed on meanwhile. */
export function followAddress(text: SearchText, value: string): SearchText {
  const own = text.sent.indexOf(value)
  if (own >= 0) return { ...text, shown: value, sent: text.sent.slice(own + 1) }
  return { typed: value, shown: value, sent: [] }
}
