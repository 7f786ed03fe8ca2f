/** Deeper than any report is; what lies below stays as it came. */
const MOST_LEVELS = 8

/**
 * A report with its keys readable: some firmware sends single keys as the hex of their bytes, such as
 * `54 65 6D 70 4F 66 42 6F 78 00` for `TempOfBox`. A readable key of the same name counts before that.
 */
export function plainKeys(value: unknown, levels = MOST_LEVELS): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (Array.isArray(value)) return value.map((item) => plainKeys(item, levels - 1))
  const decoded: [string, unknown][] = []
  const plain: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) {
    const name = decodedKey(key)
    if (name === null) plain.push([key, plainKeys(member, levels - 1)])
    else decoded.push([name, plainKeys(member, levels - 1)])
  }
  return Object.fromEntries([...decoded, ...plain])
}

function decodedKey(key: string): string | null {
  const digits = key.replaceAll(' ', '')
  if (digits.length < 8 || digits.length > 200 || digits.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(digits)) return null
  const name = Buffer.from(digits, 'hex').toString('latin1').replace(/\0+$/, '')
  return /^[A-Za-z]\w+$/.test(name) ? name : null
}
