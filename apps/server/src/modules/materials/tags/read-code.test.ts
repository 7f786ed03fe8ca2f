import { describe, expect, test } from 'vitest'
import { readCbor } from './cbor.ts'
import { readCode } from './read-code.ts'

/** Sections of a tag as the specification of OpenPrintTag has them for its first example, each in its region. */
const sections = {
  meta: 'a10218d2',
  main:
    'bf041b000007d0fcab45f9056a33333463353466303838080009000a76504c412050727573612047616c61787920426c61636b0b6950727573616d656e740e1a68d3c7' +
    'd7101903e8111903f41219011813443d3e3dff181c9f17ff181df93cf6182218cd182318e1182418aa182518281826183c18271218281828182914182a1840182b18c8' +
    '182c1864182d183418389f0001ff183b831832fa4134cccdfa43014ccd183c69323730203330203230ff',
  aux: 'a0',
}
const said = {
  ...{ type: 'PLA', color: 'PLA Prusa Galaxy Black', brand: 'Prusament', hex_code: '#3D3E3D', diameter: 1.75 },
  ...{ spool_weight_grams: 1012, remaining_grams: 1012 },
}

/** The payload, with its regions where the example has them. */
function payloadOf({ meta, main, aux } = sections): Buffer {
  const payload = Buffer.alloc(245)
  payload.write(meta, 0, 'hex')
  payload.write(main, 4, 'hex')
  payload.write(aux, 210, 'hex')
  return payload
}

/** The message of NDEF, with a record of a URI before ours, as makers write it. */
function messageOf(payload: Buffer): Buffer {
  const uri = Buffer.from('\x04dtag.org/s/334c54f088')
  const first = Buffer.concat([Buffer.from([0x91, 1, uri.length]), Buffer.from('U'), uri])
  const type = Buffer.from('application/vnd.openprinttag')
  return Buffer.concat([first, Buffer.from([0x52, type.length, payload.length]), type, payload])
}

/** The memory of the chip from its capability container on. */
function memoryOf(payload: Buffer): Buffer {
  const message = messageOf(payload)
  const length = Buffer.from([0xff, message.length >> 8, message.length & 255])
  return Buffer.concat([Buffer.from('e140270103', 'hex'), length, message, Buffer.from([0xfe])])
}

describe('an OpenPrintTag', () => {
  test.each([
    ['its payload', payloadOf()],
    ['its NDEF message', messageOf(payloadOf())],
    ['the memory of its chip', memoryOf(payloadOf())],
  ])('is read from %s, in hexadecimal digits and in base64', (_, bytes) => {
    for (const code of [bytes.toString('hex'), bytes.toString('hex').toUpperCase(), bytes.toString('base64')])
      expect(readCode(code)).toEqual({ tags: [], spool: said })
  })

  test('with an instance and what was used of it says both', () => {
    const main = `bf0050${'0123456789abcdef'.repeat(2)}080009010a685045544720526564101903e8183d190b22ff`
    const { tags, spool } = readCode(payloadOf({ ...sections, main, aux: 'a10018fa' }).toString('hex')) ?? {}
    expect(tags).toEqual([{ kind: 'uuid', value: '0123456789abcdef0123456789abcdef' }])
    expect(spool).toEqual({
      ...{ type: 'PETG', color: 'PETG Red', diameter: 2.85 },
      ...{ spool_weight_grams: 1000, remaining_grams: 750 },
    })
  })

  test('with fields that are not known here, or of a type that is new, is read for what is', () => {
    const main = 'bf0800091903e71926fd6d48656c6c6f2c20776f726c6421ff'
    expect(readCode(payloadOf({ ...sections, main }).toString('base64'))?.spool).toEqual({ diameter: 1.75 })
  })

  test.each([
    ['resin', payloadOf({ ...sections, main: 'bf080109000a63526564ff' })],
    ['a section that breaks off', payloadOf({ ...sections, main: 'bf0a7fff' })],
    ['another record alone', messageOf(payloadOf()).subarray(0, 25)],
    ['a map that is no tag', Buffer.from('a10218d2', 'hex')],
    ['what nests without end', Buffer.alloc(200, 0x81)],
    ['nothing', Buffer.alloc(40)],
  ])('is not read from %s', (_, bytes) => {
    expect(readCode(bytes.toString('base64'))).toBeUndefined()
  })
})

describe('a number', () => {
  test.each([
    ['E0:04:01:08:66:2F:6F:BC', 'uid', 'e0040108662f6fbc'],
    ['e0040108662f6fbc', 'uid', 'e0040108662f6fbc'],
    // As some readers write it, from its end on.
    ['BC 6F 2F 66 08 01 04 E0', 'uid', 'e0040108662f6fbc'],
    ['04-A3-5B-12-9C-64-80', 'uid', '04a35b129c6480'],
    // The chip of a Bambu spool, as a reader and as the printer say it: `tag_uid`.
    ['75886b1d', 'uid', '75886b1d'],
    ['75886B1D00000100', 'uid', '75886b1d'],
    // `tray_uuid`, which is the same on both sides of the spool.
    ['B5BA4E1B9A3E4B7D8C21F07A6D5E4C3B', 'uuid', 'b5ba4e1b9a3e4b7d8c21f07a6d5e4c3b'],
    ['bf63e92d-9ca5-53d7-9fab-ffdd0240c585', 'uuid', 'bf63e92d9ca553d79fabffdd0240c585'],
  ])('%s is that of a %s', (code, kind, value) => {
    expect(readCode(code)).toEqual({ tags: [{ kind, value }], spool: undefined })
  })

  test.each([
    '0000000000000000',
    '00000000000000000000000000000000',
    '75886b',
    'mat_01kaxq3v7m2e8h5t9w4c6y0b1d',
    'Black',
    '',
    '{}',
  ])('%s is none', (code) => {
    expect(readCode(code)).toBeUndefined()
  })
})

// Examples of RFC 8949, appendix A.
test.each([
  ['1903e8', 1000],
  ['3863', -100],
  ['f93c00', 1],
  ['f9c400', -4],
  ['f90001', 2 ** -24],
  ['fa47c35000', 100_000],
  ['fb3ff199999999999a', 1.1],
  ['f5', true],
  ['f6', null],
  ['7f657374726561646d696e67ff', 'streaming'],
  ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
  ['c074323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
])('CBOR %s is %j', (hex, value) => {
  expect(readCbor(Buffer.from(hex, 'hex'))).toEqual({ value, end: hex.length / 2 })
})
