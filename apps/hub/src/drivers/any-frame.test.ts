import { readFileSync } from 'node:fs'
import type { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whyImpossible } from '../test/conformance/possible-state.ts'
import { traitsOf } from './bambu/bambu-models.ts'
import { emptyPicture as emptyBambu, mergeMessage as mergeBambu } from './bambu/bambu-report.ts'
import { bambuState } from './bambu/bambu-state.ts'
import { type CrealityFields, crealityState, mergeFields } from './creality/creality-state.ts'
import {
  type Cc2Picture,
  cc2State,
  emptyCc2Picture,
  withAttributes,
  withChange,
  withFullStatus,
} from './elegoo/cc2-state.ts'
import { emptySdcpPicture, mergeSdcpMessage, sdcpState } from './elegoo/sdcp-state.ts'
import { emptyPicture as emptyMoonraker, mergeObjects } from './moonraker/moonraker-picture.ts'
import { moonrakerState } from './moonraker/moonraker-state.ts'
import { emptyPicture as emptyOctoPrint, mergeMessage as mergeOctoPrint } from './octoprint/octoprint-picture.ts'
import { octoPrintState } from './octoprint/octoprint-state.ts'
import { emptyPicture as emptyPrusaLink, mergePoll, prusaLinkState } from './prusalink/prusalink-state.ts'
import { parseFrame } from './wire/text-socket.ts'

const bambuReport = (name: string) =>
  JSON.parse(readFileSync(new URL(`bambu/fixtures/${name}.json`, import.meta.url), 'utf8'))
const x1c = traitsOf(null, '00M00A000000000', '')

/** What a printer of each family says when it prints, and the state after it said several such things. */
const families: Record<string, { says: unknown[]; stateAfter(frames: unknown[]): PrinterState }> = {
  bambu: {
    says: ['x1c-printing', 'p1s-finished', 'h2d-paused', 'a1-mini-cancelled'].map(bambuReport),
    stateAfter: (frames) => bambuState(frames.reduce<ReturnType<typeof emptyBambu>>(mergeBambu, emptyBambu()), x1c),
  },
  moonraker: {
    says: [
      {
        webhooks: { state: 'ready' },
        print_stats: { state: 'printing', filename: 'clip.gcode', print_duration: 600, info: { total_layer: 7 } },
        virtual_sdcard: { progress: 0.418 },
        extruder: { temperature: 214.71, target: 215 },
        'output_pin caselight': { value: 1 },
      },
      { print_stats: { state: 'error', message: 'because' } },
      { webhooks: { state: 'shutdown', state_message: 'MCU shutdown' } },
    ],
    stateAfter: (frames) =>
      moonrakerState(
        frames.reduce<ReturnType<typeof emptyMoonraker>>(mergeObjects, { ...emptyMoonraker(), klippy: 'ready' }),
      ),
  },
  octoprint: {
    says: [
      {
        current: {
          state: { text: 'Printing', flags: { operational: true, printing: true } },
          job: { file: { name: 'clip.gcode', path: 'clip.gcode', date: 1760000000 } },
          progress: { completion: 41.8, printTimeLeft: 1571 },
          temps: [{ time: 1, tool0: { actual: 214.87, target: 215 } }],
        },
      },
      { event: { type: 'PrintDone', payload: { path: 'clip.gcode' } } },
      { current: { state: { text: 'Offline', flags: { closedOrError: true } } } },
    ],
    stateAfter: (frames) =>
      octoPrintState(frames.reduce<ReturnType<typeof emptyOctoPrint>>(mergeOctoPrint, emptyOctoPrint())),
  },
  prusalink: {
    says: [
      {
        job: { id: 118, progress: 42, time_remaining: 3120 },
        storage: { path: '/usb/', read_only: false },
        printer: { state: 'PRINTING', temp_nozzle: 214.9, target_nozzle: 215 },
      },
      { id: 118, file: { name: 'CLIP~1.GCO', display_name: 'clip.gcode' } },
      { printer: { state: 'FINISHED' }, storage: [] },
    ],
    stateAfter: (frames) =>
      prusaLinkState(
        frames.reduce<ReturnType<typeof emptyPrusaLink>>(
          (picture, status) =>
            mergePoll(picture, { status, job: frames[0], printer: status, newest: 'unsaid', isUnbroken: true }),
          emptyPrusaLink(),
        ),
      ),
  },
  sdcp: {
    says: [
      {
        Status: {
          CurrentStatus: [1],
          PrintInfo: {
            Status: 13,
            CurrentLayer: 57,
            TotalLayer: 120,
            CurrentTicks: 900,
            TotalTicks: 2401,
            Filename: 'clip.gcode',
          },
          TempOfNozzle: 214.71,
          LightStatus: { SecondLight: true },
        },
      },
      { Attributes: { FirmwareVersion: 'V1.1.29' } },
      { Status: { CurrentStatus: [0], PrintInfo: { Status: 9 } } },
    ],
    stateAfter: (frames) => sdcpState(frames.reduce<typeof emptySdcpPicture>(mergeSdcpMessage, emptySdcpPicture)),
  },
  cc2: {
    says: [
      {
        id: 1,
        error_code: 0,
        machine_status: { status: 2, sub_status: 2075, exception_status: [], progress: 42 },
        print_status: { filename: 'clip.gcode', uuid: 'b52af24c', current_layer: 57, total_layer: 120 },
        extruder: { temperature: 214.71, target: 215 },
      },
      { id: 2, result: { machine_status: { status: 1, sub_status: 2077 } } },
    ],
    stateAfter: (frames) =>
      cc2State(
        frames.reduce<Cc2Picture>(
          (picture, frame) => withAttributes(withChange(withFullStatus(picture, frame), frame).picture, frame),
          emptyCc2Picture,
        ),
      ),
  },
  creality: {
    says: [
      {
        state: 1,
        printProgress: '42',
        layer: '57',
        TotalLayer: 120,
        printFileName: '/usr/data/clip.gcode',
        nozzleTemp: '214.71',
      },
      { state: 0, err: { errcode: 2, key: 3 }, withSelfTest: 4 },
      { boxsInfo: { materialBoxs: [{ id: 1, type: 0, materials: [{ id: 0, type: 'PLA', color: '#0ba552a' }] }] } },
    ],
    stateAfter: (frames) => crealityState(frames.reduce<CrealityFields>(mergeFields, {})),
  },
}

const readFrame = (bytes: Uint8Array) => parseFrame(Buffer.from(bytes).toString())

/** A frame on a bad line: some bytes are others, some are missing, and it may be over before its end. */
function damaged(frame: string): fc.Arbitrary<Uint8Array> {
  const change = fc.tuple(fc.nat(frame.length), fc.option(fc.nat(255)))
  return fc.tuple(fc.array(change, { maxLength: 4 }), fc.option(fc.nat(frame.length))).map(([changes, end]) => {
    const bytes = [...Buffer.from(frame)]
    for (const [at, byte] of changes) bytes.splice(at, 1, ...(byte === null ? [] : [byte]))
    return Uint8Array.from(bytes.slice(0, end ?? bytes.length))
  })
}

/** The same report with some values replaced by anything at all. */
function distorted(report: unknown): fc.Arbitrary<unknown> {
  if (typeof report !== 'object' || report === null) {
    return fc.oneof({ weight: 6, arbitrary: fc.constant(report) }, fc.jsonValue({ maxDepth: 2 }))
  }
  if (Array.isArray(report)) return fc.tuple(...report.map(distorted))
  const fields = Object.fromEntries(Object.entries(report).map(([name, value]) => [name, distorted(value)]))
  return fc.oneof({ weight: 9, arbitrary: fc.record(fields, { requiredKeys: [] }) }, fc.jsonValue({ maxDepth: 2 }))
}

describe.each(Object.entries(families))(
  '%s: no possible frame makes an impossible state',
  { timeout: 60_000 },
  (_, { says, stateAfter }) => {
    const look = (frames: unknown[]): void => {
      expect(whyImpossible(stateAfter(frames))).toBeNull()
    }

    test('what it says itself', () => {
      for (const frame of says) look([frame])
      look(says)
      look([...says].reverse())
    })

    test('any bytes', () => {
      fc.assert(
        fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 4 }), (frames) =>
          look(frames.map(readFrame)),
        ),
      )
    })

    test('any JSON', () => {
      fc.assert(fc.property(fc.array(fc.json({ maxDepth: 4 }).map(parseFrame), { maxLength: 4 }), look))
    })

    test('its own reports with damaged bytes', () => {
      const frame = fc.oneof(...says.map((report) => damaged(JSON.stringify(report)))).map(readFrame)
      fc.assert(fc.property(fc.array(fc.oneof(frame, fc.constantFrom(...says)), { maxLength: 5 }), look), {
        numRuns: 300,
      })
    })

    test('its own reports with fields missing and values of any kind', () => {
      const frame = fc.oneof(...says.map(distorted))
      fc.assert(fc.property(fc.array(frame, { maxLength: 4 }), look), { numRuns: 300 })
    })
  },
)
