/** The cells of a row by the name of their column, in lower case. What is missing is empty. */
export interface Cells {
  /** Reads the first of several names that has something. */
  (...names: string[]): string
  /** All columns, as the header spells them. */
  names(): string[]
}

/** Position of each column, by its name in lower case. */
export type Columns = ReadonlyMap<string, { at: number; name: string }>

/** Reads a row by the names of its columns. */
export function cellsOf(columns: Columns, row: readonly string[]): Cells {
  const read = (...names: string[]) => {
    for (const name of names) {
      const column = columns.get(name.toLowerCase())
      const text = column === undefined ? '' : (row[column.at] ?? '').trim()
      if (text !== '') return text
    }
    return ''
  }
  return Object.assign(read, { names: () => [...columns.values()].map(({ name }) => name) })
}

/** Columns by their names in lower case; of two with one name the first. */
export function columnsOf(header: readonly string[]): Columns {
  const columns = new Map<string, { at: number; name: string }>()
  header.forEach((name, at) => {
    const key = name.toLowerCase()
    if (key !== '' && !columns.has(key)) columns.set(key, { at, name })
  })
  return columns
}

/** The first name that stands over two columns; undefined for none. */
export function repeatedColumn(header: readonly string[]): string | undefined {
  const columns = columnsOf(header)
  return header.find((name, at) => name !== '' && columns.get(name.toLowerCase())?.at !== at)
}

/** The fields that have something. */
export function filled<Name extends string>(fields: Record<Name, string>): Partial<Record<Name, string>> {
  // Object.fromEntries forgets the names.
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')) as Partial<Record<Name, string>>
}

/** Several cells as one text. */
export const joined = (separator: string, ...parts: string[]) => parts.filter((part) => part !== '').join(separator)
