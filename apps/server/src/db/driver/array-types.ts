/** Arrays of PostgreSQL's own types: element to array, as in pg_catalog.pg_type, where they never change. */
export const arrayTypeOf: Readonly<Record<number, number>> = {
  16: 1000, // bool
  17: 1001, // bytea
  19: 1003, // name
  20: 1016, // int8
  21: 1005, // int2
  23: 1007, // int4
  25: 1009, // text
  26: 1028, // oid
  114: 199, // json
  700: 1021, // float4
  701: 1022, // float8
  1043: 1015, // varchar
  1082: 1182, // date
  1114: 1115, // timestamp
  1184: 1185, // timestamptz
  1700: 1231, // numeric
  2950: 2951, // uuid
  3802: 3807, // jsonb
}

/** A brace, an element in quotes, or a bare one. */
const token = /([{}])|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|([^{},"]+)/g

/** Reads what PostgreSQL writes for an array: `{1,NULL,"a \"b\"",{…}}`, with bounds before it where they do not begin at 1. */
export function parseArray(text: string, parse: (element: string) => unknown): unknown[] {
  const outermost: unknown[] = []
  const open = [outermost]
  for (const [, brace, quoted, bare] of text.matchAll(token)) {
    const list = open.at(-1) ?? outermost
    if (brace === '{') {
      const inner: unknown[] = []
      list.push(inner)
      open.push(inner)
    } else if (brace === '}') open.pop()
    else if (quoted !== undefined) list.push(parse(quoted.replace(/\\([\s\S])/g, '$1')))
    else if (list !== outermost && bare !== undefined) list.push(bare === 'NULL' ? null : parse(bare))
  }
  // The text is one pair of braces, which became the only element.
  return (outermost[0] ?? []) as unknown[]
}
