/** The key in pasted text, without the white space around it, or the reason why there is none. */
export function readKeyText(text: string): { key: string } | { problem: string } {
  const key = text.trim()
  if (key === '') return { problem: 'Paste a key first.' }
  // What a header cannot carry would fail in the browser and look like a service that is down.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return {
      problem: 'A key is one word of letters, digits and underscores. Copy it again, without anything around it.',
    }
  }
  return { key }
}
