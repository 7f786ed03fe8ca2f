import { type Arrivals, type Draft, UnreadableSourceError } from './drafts.ts'
import { type Fields, filled, isFields, numberOf, parseObjects, textOf } from './fields.ts'
import { connectionOf } from './printer-address.ts'

/** Collections of OctoFarm's MongoDB as `mongoexport` writes them: which each file is, its objects tell. */
export function readOctoFarm(files: readonly { text: string; what: string }[], model: string): Arrivals {
  const printers: Fields[] = []
  const spools: Fields[] = []
  const profiles = new Map<string, Fields>()
  for (const { text, what } of files) {
    for (const [index, entry] of parseObjects(text, what).entries()) {
      if ('printerURL' in entry) printers.push(entry)
      else if (isFields(entry.spools)) spools.push(entry)
      else if (isFields(entry.profile)) profiles.set(idOf(entry), entry.profile)
      else {
        const words = `${what}: entry ${index + 1} is of none of OctoFarm's collections printers, spools and profiles.`
        throw new UnreadableSourceError(words)
      }
    }
  }
  return {
    source: 'octofarm',
    drafts: [
      ...printers.map((printer, index) => readPrinter(printer, index, model)),
      ...spools.map((spool, index) => readSpool(spool, index, profiles)),
    ],
  }
}

/** `mongoexport` writes IDs as `{"$oid": "…"}`. */
function idOf(entry: Fields): string {
  return isFields(entry._id) ? textOf(entry._id.$oid) : textOf(entry._id)
}

/** Numbers may be written as `{"$numberDouble": "1.5"}`. */
function amountOf(value: unknown): number | undefined {
  if (!isFields(value)) return numberOf(value)
  return numberOf(value.$numberDouble ?? value.$numberInt ?? value.$numberLong)
}

function readPrinter(printer: Fields, index: number, model: string): Draft {
  const appearance = isFields(printer.settingsAppearance) ? printer.settingsAppearance : {}
  const url = textOf(printer.printerURL)
  const name = textOf(appearance.name) || textOf(printer.printerName) || url || `Printer ${index + 1}`
  return {
    kind: 'printer',
    from: `printer ${index + 1}`,
    name,
    body: filled({
      name,
      model,
      connection_type: 'octoprint',
      location: textOf(printer.group),
      notes: printer.disabled === true ? 'Disabled in OctoFarm' : '',
      connection: connectionOf('octoprint', {
        url,
        // Older versions spell it apiKey.
        apiKey: textOf(printer.apikey) || textOf(printer.apiKey),
        username: '',
        password: '',
      }),
    }),
  }
}

function readSpool(entry: Fields, index: number, profiles: ReadonlyMap<string, Fields>): Draft {
  const spool = entry.spools as Fields
  const profile = profiles.get(isFields(spool.profile) ? textOf(spool.profile.$oid) : textOf(spool.profile)) ?? {}
  const id = idOf(entry)
  const name = textOf(spool.name) || `Spool ${index + 1}`
  const from = `spool ${index + 1}`
  const weight = amountOf(spool.weight)
  if (id === '' || weight === undefined) {
    const reason = id === '' ? 'has no ID, by which it would be known again' : 'has no weight'
    return { kind: 'left_out', from, name, reason }
  }
  return {
    kind: 'spool',
    from,
    name,
    sourceId: id,
    body: filled({
      type: textOf(profile.material) || 'Unknown',
      name,
      brand: textOf(profile.manufacturer),
      diameter: amountOf(profile.diameter),
      remaining_grams: Math.max(0, weight - (amountOf(spool.used) ?? 0)),
      spool_weight_grams: weight > 0 ? weight : undefined,
    }),
  }
}
