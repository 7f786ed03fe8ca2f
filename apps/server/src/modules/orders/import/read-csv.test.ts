import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostRows, readCsv } from './read-csv.ts'

const read = (text: string) => readCsv(Buffer.from(text))

async function problemOf(bytes: Buffer | string): Promise<string> {
  try {
    await readCsv(Buffer.from(bytes))
  } catch (error) {
    return (error as { details: { _root: string[] } }).details._root.join()
  }
  throw new Error('it was read')
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
// A cell of spaces alone is empty, and a file without any text is none.
const cell = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\0', '').toWellFormed())
const table = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.array(
    fc.array(cell, { minLength: width, maxLength: width }).map(([first = '', ...others]) => [`x${first}`, ...others]),
    { minLength: 1, maxLength: 12 },
  ),
)

test('what was written is read, whatever stands in a cell, by whichever separator, line end and encoding', async () => {
  const separators = fc.constantFrom(',', ';', '\t')
  const lineEnds = fc.constantFrom('\n', '\r\n')
  await fc.assert(
    fc.asyncProperty(
      table,
      separators,
      lineEnds,
      fc.constantFrom('utf8', 'bom', 'utf16'),
      async (rows, separator, end, encoding) => {
        const names = rows[0]?.map((_, index) => `column ${index}`) ?? []
        const text = [names, ...rows].map((row) => row.map(quoted).join(separator)).join(end)
        const bytes =
          encoding === 'utf16'
            ? Buffer.from(`\ufeff${text}`, 'utf16le')
            : Buffer.from(encoding === 'bom' ? `\ufeff${text}` : text)
        expect(await readCsv(bytes)).toEqual({
          header: names,
          rows: rows.map((cells, index) => ({ row: index + 2, cells })),
        })
      },
    ),
  )
})

test('whatever bytes come, they are read or refused with what is wrong, and nothing else is thrown', async () => {
  const pieces = fc.array(fc.constantFrom('"', '""', ',', ';', '\n', '\r', 'a', 'ä', '\ufeff', ' ', '\0'), {
    maxLength: 60,
  })
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    pieces.map((all) => Buffer.from(all.join(''))),
  )
  await fc.assert(
    fc.asyncProperty(hostile, async (bytes) => {
      try {
        const { header, rows } = await readCsv(bytes)
        expect(header.length).toBeGreaterThan(0)
        for (const { row, cells } of rows) expect(row > 1 && cells.some((each) => each.trim() !== '')).toBe(true)
      } catch (error) {
        expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { _root: [expect.stringMatching(/\S/)] } })
      }
    }),
    { numRuns: 500 },
  )
})

test('rows are counted as a spreadsheet does, also after empty ones', async () => {
  const { rows } = await read('a,b\n\n1,2\n,\n3,4\n')
  expect(rows).toEqual([
    { row: 3, cells: ['1', '2'] },
    { row: 5, cells: ['3', '4'] },
  ])
})

test('a line break in a quoted cell is part of the cell', async () => {
  expect((await read('a,b\n"1\n2",3\n4,5')).rows).toEqual([
    { row: 2, cells: ['1\n2', '3'] },
    { row: 3, cells: ['4', '5'] },
  ])
})

test.each([
  ['', 'is empty; the first row names the columns'],
  [' \n,\n', 'is empty; the first row names the columns'],
  ['a,b\n1,"2\n3,4\n', /^line \d+: a quote is not closed$/],
  ['a,b\n1,2 "x"\n', /^line 2: a quote stands inside of a cell/],
  ['a,b\n1,"2"x\n', /^line 2: a quote stands inside of a cell/],
  ['a,b\n1,\0\n', 'line 2: has a NUL byte; it is no text'],
  [Buffer.from('a,b\nM\xfcller,2\n', 'latin1'), 'line 2: is not UTF-8; save it as CSV (UTF-8)'],
  [
    Buffer.from('PK\u0003\u0004rest of a workbook', 'latin1'),
    'is a workbook or archive, not CSV; export it as CSV (UTF-8)',
  ],
  [`a\n"${'x'.repeat(70_000)}"\n`, /^line 2: a row is longer than 65536 bytes/],
  [Array.from({ length: 201 }, () => 'a').join(','), 'has more than 200 columns'],
])('%j is refused', async (bytes, message) => {
  expect(await problemOf(bytes)).toMatch(message)
})

test('100,000 rows are refused soon, and others are served meanwhile', async () => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  try {
    expect(await problemOf(`a\n${'1\n'.repeat(100_000)}`)).toBe(`has more than ${mostRows} rows; send it in parts`)
    expect((await read(`a\n${`${'x'.repeat(900)}\n`.repeat(mostRows)}`)).rows).toHaveLength(mostRows)
  } finally {
    clearInterval(timer)
  }
  // 9 MB are read in slices of 64 KB.
  expect(turns).toBeGreaterThan(20)
})
