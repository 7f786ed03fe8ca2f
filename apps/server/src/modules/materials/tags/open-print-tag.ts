import type { MaterialInput } from '../materials.schema.ts'
import { readCbor } from './cbor.ts'

/** What an OpenPrintTag says of its spool; what it leaves out is not made up. */
export interface OpenPrintTag {
  /** ID of this spool, as 32 hexadecimal digits; the tags of many makers have none. */
  instanceUuid: string | undefined
  spool: Pick<
    MaterialInput,
    'type' | 'color' | 'hex_code' | 'brand' | 'diameter' | 'spool_weight_grams' | 'remaining_grams'
  >
}

const mimeType = 'application/vnd.openprinttag'

/** Keys of the sections, by the specification. */
const ofMeta = { mainOffset: 0, auxOffset: 2 }
const ofMain = {
  ...{ instanceUuid: 0, materialClass: 8, materialType: 9, materialName: 10, brandName: 11 },
  ...{ nominalWeight: 16, actualWeight: 17, primaryColor: 19, diameterMm: 30, diameterUm: 61 },
}
const ofAux = { consumedWeight: 0 }

/** Value of `material_class`: what is printed by melting it, and no resin. */
const filamentClass = 0

/** Names of `material_type`, by their numbers. */
const materialTypes = (
  'PLA PETG TPU ABS ASA PC PCTG PP PA6 PA11 PA12 PA66 CPE TPE HIPS PHA PET PEI PBT PVB PVA PEKK PEEK BVOH TPC PPS PPSU PVC PEBA PVDF PPA ' +
  'PCL PES PMMA POM PPE PS PSU TPI SBS OBC EVA PA612'
).split(' ')

/** What a tag of filament without a diameter has. */
const usualDiameterMm = 1.75

/** Far more than any spool weighs. */
const mostGrams = 100_000

/**
 * Answers what the bytes of an OpenPrintTag say: those of the chip from its capability container on, an NDEF message, or its payload alone. Undefined
 * for what is none, or is one of resin.
 */
export function readOpenPrintTag(bytes: Buffer): OpenPrintTag | undefined {
  try {
    const payload = payloadOf(bytes)
    return payload && readPayload(payload)
  } catch (error) {
    // Bytes from outside that are no tag.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function payloadOf(bytes: Buffer): Buffer | undefined {
  const [first] = bytes
  // The capability container of a tag of type 5, of 4 or 8 bytes; the message follows as a TLV.
  if (first === 0xe1 || first === 0xe2) return recordIn(messageIn(bytes.subarray(bytes[2] === 0 ? 8 : 4)))
  // A map of CBOR; no NDEF record begins so.
  if (first !== undefined && first >> 5 === 5) return bytes
  return recordIn(bytes)
}

function messageIn(tlvs: Buffer): Buffer {
  for (let at = 0; at < tlvs.length; ) {
    const type = tlvs.readUInt8(at)
    at += 1
    if (type === 0) continue
    const isLong = tlvs.readUInt8(at) === 0xff
    const length = isLong ? tlvs.readUInt16BE(at + 1) : tlvs.readUInt8(at)
    at += isLong ? 3 : 1
    if (type === 3) return tlvs.subarray(at, at + length)
    at += length
  }
  throw new RangeError('the tag has no NDEF message')
}

/** The payload of the record of our type. */
function recordIn(message: Buffer): Buffer | undefined {
  for (let at = 0; at < message.length; ) {
    const flags = message.readUInt8(at)
    const typeLength = message.readUInt8(at + 1)
    const isShort = (flags & 0x10) !== 0
    const payloadLength = isShort ? message.readUInt8(at + 2) : message.readUInt32BE(at + 2)
    at += isShort ? 3 : 6
    const idLength = flags & 0x08 ? message.readUInt8(at) : 0
    at += flags & 0x08 ? 1 : 0
    const type = message.subarray(at, at + typeLength).toString('latin1')
    at += typeLength + idLength
    if ((flags & 7) === 2 && type === mimeType) return message.subarray(at, at + payloadLength)
    at += payloadLength
  }
  return undefined
}

type Section = ReadonlyMap<unknown, unknown>

function readPayload(payload: Buffer): OpenPrintTag | undefined {
  const { value: meta, end } = readCbor(payload)
  const mainAt = numberOf(sectionOf(meta), ofMeta.mainOffset) ?? end
  const auxAt = numberOf(sectionOf(meta), ofMeta.auxOffset)
  const main = sectionOf(readCbor(payload, mainAt).value)
  const aux = auxAt === undefined ? new Map() : sectionOf(readCbor(payload, auxAt).value)
  // What is no tag of ours may begin with a map as well; every tag says its class.
  if (main.get(ofMain.materialClass) !== filamentClass) return undefined
  const uuid = main.get(ofMain.instanceUuid)
  return {
    instanceUuid: Buffer.isBuffer(uuid) && uuid.length === 16 ? uuid.toString('hex') : undefined,
    spool: spoolOf(main, aux),
  }
}

function spoolOf(main: Section, aux: Section): OpenPrintTag['spool'] {
  const type = materialTypes[numberOf(main, ofMain.materialType) ?? -1]
  const name = textOf(main, ofMain.materialName, 50)
  const brand = textOf(main, ofMain.brandName, 100)
  const color = main.get(ofMain.primaryColor)
  const full = gramsOf(main, ofMain.actualWeight) ?? gramsOf(main, ofMain.nominalWeight)
  const used = gramsOf(aux, ofAux.consumedWeight) ?? 0
  const micrometres = numberOf(main, ofMain.diameterUm)
  const diameter = micrometres === undefined ? numberOf(main, ofMain.diameterMm) : micrometres / 1_000
  return {
    ...(type !== undefined && { type }),
    ...(name !== undefined && { color: name }),
    ...(brand !== undefined && { brand }),
    ...(Buffer.isBuffer(color) && color.length >= 3 && { hex_code: `#${color.toString('hex', 0, 3).toUpperCase()}` }),
    diameter: diameter !== undefined && diameter >= 0.5 && diameter <= 5 ? diameter : usualDiameterMm,
    ...(full !== undefined && { spool_weight_grams: full, remaining_grams: Math.max(0, full - used) }),
  }
}

function sectionOf(value: unknown): Section {
  if (value instanceof Map) return value
  throw new RangeError('a section of the tag is no map')
}

function numberOf(section: Section, key: number): number | undefined {
  const value = section.get(key)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function gramsOf(section: Section, key: number): number | undefined {
  const grams = numberOf(section, key)
  return grams !== undefined && grams >= 0 && grams <= mostGrams ? Math.round(grams * 1_000) / 1_000 : undefined
}

function textOf(section: Section, key: number, most: number): string | undefined {
  const value = section.get(key)
  if (typeof value !== 'string') return undefined
  const bare = value.replaceAll('\0', '').toWellFormed().trim()
  return bare === '' ? undefined : [...bare].slice(0, most).join('')
}
