import { expect, test } from 'vitest'
import { readPrinterCsv } from './printer-csv.ts'

test('printers are read with the fields of their connection, also from a spreadsheet of another country', () => {
  const text =
    'Name;Model;Connection;Address;Access code;Serial;Location;Nozzle\n"South; left";P1S;Bambu;192.168.1.7;12345678;01P00;Bench;0.4\n'
  expect(readPrinterCsv(text)).toEqual({
    problems: [],
    printers: [
      {
        ...{ line: 2, name: 'South; left', model: 'P1S', type: 'bambu', location: 'Bench', nozzle: 0.4 },
        connection: { address: '192.168.1.7', access_code: '12345678', serial: '01P00' },
      },
    ],
  })
})

test('what names no printer is told by its line, and the others are read', () => {
  const text = [
    'name,model,connection,address,nozzle',
    'A,MK4S,virtual,,',
    ',MK4S,virtual,,',
    'C,MK4S,carrier pigeon,,',
    'D,MK4S,octoprint,192.168.1.8,',
    'E,MK4S,virtual,,fine',
  ].join('\r\n')
  const { printers, problems } = readPrinterCsv(text)
  expect(printers.map(({ name }) => name)).toEqual(['A'])
  expect(problems.map(({ line, problem }) => `${line}: ${problem.slice(0, 40)}`)).toEqual([
    '3: It needs a name and a model.',
    '4: “carrier pigeon” is no connection. Those',
    '5: OctoPrint needs api key.',
    '6: “fine” is no nozzle in mm.',
  ])
  expect(readPrinterCsv('name,address\nA,1').problems[0]?.problem).toBe('The heading lacks model, connection.')
})
