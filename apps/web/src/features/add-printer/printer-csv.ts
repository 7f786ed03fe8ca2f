import {
  type ConnectionType,
  connectionOf,
  families,
  familyOrder,
  missingFields,
} from '../../lib/connections/connection-families.ts'
import { t } from '../../lib/i18n/t.ts'
import { readCsv } from '../../lib/read-csv.ts'

/** The columns that every printer has; the others are the fields of its connection. */
const common = ['name', 'model', 'connection', 'location', 'nozzle'] as const

export const csvColumns = [...common, 'address', 'port', 'serial', 'access_code', 'api_key', 'username', 'password']

export interface PrinterLine {
  /** In the file, the first below the heading is 2. */
  line: number
  name: string
  model: string
  type: ConnectionType
  connection: ReturnType<typeof connectionOf>
  location: string
  nozzle: number | undefined
}

export interface LineProblem {
  line: number
  name: string
  problem: string
}

const isType = (text: string): text is ConnectionType => familyOrder.some((each) => each === text)

/** The printers that a CSV names, and the lines that name none, each with why. */
export function readPrinterCsv(text: string): { printers: PrinterLine[]; problems: LineProblem[] } {
  const [heading, ...rows] = readCsv(text)
  const columns = (heading ?? []).map((column) => column.toLowerCase().replaceAll(' ', '_'))
  const problems: LineProblem[] = []
  const printers: PrinterLine[] = []
  const lacking = ['name', 'model', 'connection'].filter((column) => !columns.includes(column))
  if (lacking.length > 0) {
    return {
      printers,
      problems: [{ line: 1, name: '', problem: t('The heading lacks {lacking}.', { lacking: lacking.join(', ') }) }],
    }
  }
  for (const [index, row] of rows.entries()) {
    const cells = Object.fromEntries(columns.map((column, place) => [column, row[place] ?? '']))
    const { name = '', model = '', connection: type = '', location = '', nozzle = '' } = cells
    const line = index + 2
    const refuse = (problem: string) => problems.push({ line, name, problem })
    const kind = type.toLowerCase()
    if (name === '' || model === '') refuse(t('It needs a name and a model.'))
    else if (!isType(kind))
      refuse(t('“{type}” is no connection. Those are: {familyOrder}.', { type, familyOrder: familyOrder.join(', ') }))
    else if (nozzle !== '' && !(Number(nozzle) > 0)) refuse(t('“{nozzle}” is no nozzle in mm.', { nozzle }))
    else {
      const texts = Object.fromEntries(families[kind].fields.map((field) => [field.name, cells[field.name] ?? '']))
      const missing = Object.keys(missingFields(kind, texts))
      if (missing.length > 0)
        refuse(
          t('{label} needs {missing}.', {
            label: families[kind].label,
            missing: missing.join(', ').replaceAll('_', ' '),
          }),
        )
      else {
        const connection = connectionOf(kind, texts)
        printers.push({
          ...{ line, name, model, type: kind, connection, location },
          nozzle: nozzle === '' ? undefined : Number(nozzle),
        })
      }
    }
  }
  return { printers, problems }
}
