import { parse } from 'yaml'
import { type Arrivals, type Draft, UnreadableSourceError } from './drafts.ts'
import { type Fields, filled, isFields, textOf } from './fields.ts'
import { connectionOf } from './printer-address.ts'

/** The families, by the numbers that FDM Monster gives them. */
const families = ['octoprint', 'moonraker', 'prusalink', 'bambu'] as const

/** What FDM Monster has, from its export or its database. */
export interface FdmMonsterTables {
  printers: Fields[]
  /** The printers are told by the IDs that they have there. */
  floors: { name: string; printers: string[] }[]
}

/** The export of FDM Monster (Settings, Export), which is YAML. */
export function readFdmMonsterExport(text: string, what: string, model: string): Arrivals {
  let value: unknown
  try {
    // Aliases would let a small file grow without bound; its own exports have none.
    value = parse(text, { maxAliasCount: 0 })
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new UnreadableSourceError(`${what} is no YAML: ${why}`, { cause: error })
  }
  if (!isFields(value) || !Array.isArray(value.printers)) {
    const words = `${what} is no export of FDM Monster with printers. Export again with printers and floors chosen.`
    throw new UnreadableSourceError(words)
  }
  const floors = Array.isArray(value.floors) ? value.floors.filter(isFields) : []
  return arrivalsOf(
    {
      printers: value.printers.filter(isFields),
      floors: floors.map((floor) => ({
        name: textOf(floor.name),
        printers: (Array.isArray(floor.printers) ? floor.printers : [])
          .filter(isFields)
          .map((position) => textOf(position.printerId)),
      })),
    },
    model,
  )
}

/** @param model What printers are called whose model FDM Monster does not know: all of them */
export function arrivalsOf({ printers, floors }: FdmMonsterTables, model: string): Arrivals {
  const place = new Map(floors.flatMap(({ name, printers: on }) => on.map((id) => [id, name] as const)))
  return { source: 'fdm-monster', drafts: printers.map((printer, index) => readPrinter(printer, index, place, model)) }
}

function readPrinter(printer: Fields, index: number, place: ReadonlyMap<string, string>, model: string): Draft {
  const id = textOf(printer.id)
  const from = `printer ${id || index + 1}`
  const url = textOf(printer.printerURL)
  const name = textOf(printer.name) || textOf(printer.printerName) || url || from
  const family = families[Number(printer.printerType ?? 0)]
  if (family === undefined) {
    return { kind: 'left_out', from, name, reason: `is of the type ${textOf(printer.printerType)}, which is not known` }
  }
  const isDisabled = printer.enabled === false || printer.enabled === 0
  const reason = textOf(printer.disabledReason)
  return {
    kind: 'printer',
    from,
    name,
    body: filled({
      name,
      model,
      connection_type: family,
      location: place.get(id) ?? '',
      notes: isDisabled ? `Disabled in FDM Monster${reason === '' ? '' : `: ${reason}`}` : '',
      connection: connectionOf(family, {
        url,
        apiKey: textOf(printer.apiKey),
        username: textOf(printer.username),
        password: textOf(printer.password),
      }),
    }),
  }
}
