import { XMLParser } from 'fast-xml-parser'
import type { Limits } from '../limits.ts'
import { PrintFileError, quoteName } from '../print-file-error.ts'

/** An element: attributes under `@name`, children as lists under their name. */
export type XmlElement = { [key: string]: XmlElement[] | string | undefined }

/**
 * The elements of a small XML document, or undefined when it is not well-formed. Throws `UNSAFE` for a document type
 * declaration (the door to entities of one's own), for too much nesting, and for too many bytes, elements or attributes: of
 * these the parser makes objects, a hundred times slower than it reads bytes.
 */
export function parseXml(bytes: Buffer, entryName: string, limits: Limits): XmlElement | undefined {
  const where = `Entry ${quoteName(entryName)}`
  if (bytes.length > limits.maxXmlBytes)
    throw new PrintFileError('UNSAFE', `${where} is too long for XML of this kind.`)
  const text = bytes.toString('utf8')
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
    throw new PrintFileError('UNSAFE', `${where} declares a document type, which slicers never do.`)
  }
  refuseUnlessSmall(text, where, limits)
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    processEntities: false,
    isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  })
  try {
    const document: unknown = parser.parse(text, true)
    return isElement(document) ? document : undefined
  } catch (error) {
    // The parser throws plain errors for documents that are not well-formed; its caller goes on without this source.
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Child elements of one name. */
export function children(element: XmlElement | undefined, name: string): XmlElement[] {
  const found = element !== undefined && Object.hasOwn(element, name) ? element[name] : undefined
  // Elements without attributes and children come as text.
  return Array.isArray(found) ? found.filter(isElement) : []
}

/** An attribute, with the five entities of XML and numbered characters resolved; null when missing or empty. */
export function attribute(element: XmlElement, name: string): string | null {
  const value = Object.hasOwn(element, `@${name}`) ? element[`@${name}`] : undefined
  return typeof value === 'string' && value !== '' ? decodeEntities(value) : null
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** Counts by a scan that builds nothing and ends at the first limit. */
function refuseUnlessSmall(text: string, where: string, limits: Limits): void {
  let depth = 0
  let parts = 0
  const refuse = (why: string) => new PrintFileError('UNSAFE', `${where} ${why}.`)
  for (const [tag] of text.matchAll(/<\/?[A-Za-z_][^<>]*>?/g)) {
    if (tag.startsWith('</')) {
      depth--
      continue
    }
    if (!tag.endsWith('/>') && ++depth > limits.maxXmlDepth) throw refuse('nests too deeply')
    parts += 1 + countOf(tag, '=')
    if (parts > limits.maxXmlParts) throw refuse('has more elements and attributes than any slicer writes')
  }
}

function countOf(text: string, sign: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count += 1
  return count
}

function isElement(value: unknown): value is XmlElement {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
