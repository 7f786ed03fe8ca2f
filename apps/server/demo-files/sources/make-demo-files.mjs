// Makes the demo files again: slices the models and writes the results beside this folder. The README says what is needed.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildBgcode } from '../../../../packages/print-files/src/test/build-bgcode.ts'
import { buildGcode3mf } from '../../../../packages/print-files/src/test/build-gcode-3mf.ts'
import { drawPixels, drawPng, encodeQoi } from '../../../../packages/print-files/src/test/draw-picture.ts'

const sources = fileURLToPath(new URL('.', import.meta.url))
const target = fileURLToPath(new URL('..', import.meta.url))
const fixtures = fileURLToPath(new URL('../../../../packages/print-files/fixtures/', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'demo-files-'))

function runPrusaSlicer(profile, model, output, ...options) {
  const args = ['--load', `profiles/${profile}`, ...options, '--export-gcode', '--output', output, `models/${model}`]
  execFileSync('prusa-slicer', args, { cwd: sources, stdio: 'ignore' })
}

/**
 * Run alone, the engine writes placeholders into the header and prints the real one afterwards; Cura's window then
 * puts it in place, and so do we. The file as the engine left it is kept as a fixture.
 */
function runCuraEngine(model, output) {
  const resources = process.env.CURA_RESOURCES ?? '/usr/share/cura/resources'
  const definition = `${resources}/definitions/creality_ender3.def.json`
  const settings = { roofing_layer_count: 0, layer_height: 0.28, infill_line_distance: 6, machine_name: 'Creality Ender-3' }
  const args = ['slice', '-v', '-j', definition, ...Object.entries(settings).flatMap(([key, value]) => ['-s', `${key}=${value}`])]
  const run = spawnSync('CuraEngine', [...args, '-o', output, '-l', `models/${model}`], {
    cwd: sources,
    encoding: 'utf8',
    env: { ...process.env, CURA_ENGINE_SEARCH_PATH: `${resources}/definitions:${resources}/extruders` },
    maxBuffer: 64 * 1024 * 1024,
  })
  const header = /Gcode header after slicing:\n([\s\S]*?)End of gcode header\./.exec(run.stderr)?.[1]
  if (run.status !== 0 || header === undefined) throw new Error(`CuraEngine failed: ${run.stderr.slice(-500)}`)
  const gcode = readFileSync(output, 'utf8')
  // Cura's window also writes which machine the file is for.
  const complete = `${header.trimEnd()}\n;TARGET_MACHINE.NAME:Creality Ender-3\n`
  writeFileSync(output, complete + gcode.slice(gcode.indexOf('\n;Generated with') + 1))
  return gcode
}

const used = (gcode, unit) => Number(new RegExp(`^; filament used \\[${unit}\\] = ([\\d.]+)$`, 'm').exec(gcode)[1])
const time = (gcode) => /^; estimated printing time \(normal mode\) = (.+)$/m.exec(gcode)[1]
const layers = (gcode) => gcode.match(/^;LAYER_CHANGE$/gm).length
const maxZ = (gcode) => Number([...gcode.matchAll(/^;Z:([\d.]+)$/gm)].at(-1)[1])
const body = (gcode) => gcode.slice(gcode.indexOf('M73 P0'), gcode.indexOf('; filament used [mm]'))

function seconds(text) {
  const units = { d: 86400, h: 3600, m: 60, s: 1 }
  return [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit], 0)
}

/** PrusaSlicer's moves with the comments of Bambu Studio around and between them. */
function bambuGcode(gcode, weightG) {
  const count = layers(gcode)
  let layer = 0
  const moves = body(gcode).replace(/^;LAYER_CHANGE\n;Z:(\S+)\n;HEIGHT:(\S+)\n/gm, (_whole, z, height) => {
    layer++
    return `; CHANGE_LAYER\n; Z_HEIGHT: ${z}\n; LAYER_HEIGHT: ${height}\n; layer num/total_layer_count: ${layer}/${count}\nM73 L${layer}\n`
  })
  return `; HEADER_BLOCK_START
; BambuStudio 02.04.00.70
; model printing time: ${time(gcode)}; total estimated time: ${time(gcode)}
; total layer number: ${count}
; total filament length [mm] : ${used(gcode, 'mm').toFixed(2)}
; total filament volume [cm^3] : ${(used(gcode, 'cm3') * 1000).toFixed(2)}
; total filament weight [g] : ${weightG.toFixed(2)}
; filament_density: 1.24
; filament_diameter: 1.75
; max_z_height: ${maxZ(gcode).toFixed(2)}
; filament: 2
; HEADER_BLOCK_END
; EXECUTABLE_BLOCK_START
${moves.replace(/^;(TYPE|WIDTH):/gm, (_whole, word) => (word === 'TYPE' ? '; FEATURE: ' : '; LINE_WIDTH: '))}; EXECUTABLE_BLOCK_END
`
}

try {
  runPrusaSlicer('prusa-mk4s-pla.ini', 'shelf-bracket.stl', join(target, 'shelf-bracket_mk4s_pla.gcode'))
  runPrusaSlicer('prusa-mk3s-petg.ini', 'cable-box.stl', join(target, 'cable-box_mk3s_petg.gcode'))
  runPrusaSlicer('prusa-xl-two-colours.ini', 'door-sign.stl', join(target, 'door-sign_xl_two-colours.gcode'))

  const engineOutput = runCuraEngine('wall-hook.stl', join(target, 'wall-hook_ender3.gcode'))
  writeFileSync(join(fixtures, 'cura-engine-alone.gcode'), firstAndLastLines(engineOutput))

  runPrusaSlicer('p1s-body.ini', 'cable-clip.stl', join(scratch, 'clip.gcode'), '--duplicate', '4')
  const clips = readFileSync(join(scratch, 'clip.gcode'), 'utf8')
  writeFileSync(
    join(target, 'cable-clips_p1s_pla.gcode.3mf'),
    buildGcode3mf({
      plates: [
        {
          name: 'Cable clips',
          gcode: bambuGcode(clips, used(clips, 'g')),
          predictionSeconds: seconds(time(clips)),
          weightG: used(clips, 'g'),
          filaments: [
            { id: 2, type: 'PLA', color: '#2EA043', presetId: 'GFA00', usedM: used(clips, 'mm') / 1000, usedG: used(clips, 'g') },
          ],
          objects: [1, 2, 3, 4].map((copy) => ({ id: 70 + copy, name: `cable-clip ${copy}` })),
          thumbnail: drawPng(256, 256, [46, 160, 67]),
        },
      ],
      settings: {
        filament_type: ['PLA', 'PLA', 'PETG', 'PLA'],
        filament_colour: ['#FFFFFF', '#2EA043', '#1A1A1A', '#D1242F'],
        filament_density: ['1.24', '1.24', '1.27', '1.24'],
        filament_diameter: ['1.75', '1.75', '1.75', '1.75'],
        nozzle_temperature: ['220', '220', '255', '220'],
        textured_plate_temp: ['55', '55', '70', '55'],
      },
    }),
  )

  runPrusaSlicer('p1s-body.ini', 'shelf-bracket.stl', join(scratch, 'bracket.gcode'), '--duplicate', '2')
  const brackets = readFileSync(join(scratch, 'bracket.gcode'), 'utf8')
  const amounts = {
    'filament used [mm]': used(brackets, 'mm').toFixed(2),
    'filament used [cm3]': used(brackets, 'cm3').toFixed(2),
    'filament used [g]': used(brackets, 'g').toFixed(2),
    'estimated printing time (normal mode)': time(brackets),
  }
  const profile = { filament_type: 'PLA', nozzle_diameter: '0.4', layer_height: '0.2', temperature: '220', bed_temperature: '60' }
  writeFileSync(
    join(target, 'shelf-brackets_core-one_pla.bgcode'),
    buildBgcode({
      producer: 'PrusaSlicer 2.9.0',
      printer: { printer_model: 'COREONE', ...profile, extruder_colour: '""', max_layer_z: maxZ(brackets).toFixed(2), ...amounts },
      print: { ...amounts, 'total filament used [g]': used(brackets, 'g').toFixed(2), 'total toolchanges': '0' },
      slicer: {
        ...profile,
        first_layer_height: '0.2',
        filament_colour: '#8957E5',
        filament_density: '1.24',
        filament_diameter: '1.75',
        filament_settings_id: '"Generic PLA @COREONE"',
        printer_settings_id: 'Prusa CORE One 0.4 nozzle',
        print_settings_id: '0.20mm STRUCTURAL @COREONE 0.4',
      },
      thumbnails: [
        { format: 'png', width: 220, height: 124, bytes: drawPng(220, 124, [137, 87, 229]) },
        { format: 'qoi', width: 16, height: 16, bytes: encodeQoi(16, 16, drawPixels(16, 16, [137, 87, 229])) },
      ],
      gcode: body(brackets),
    }),
  )

  execFileSync('slic3r', ['--load', 'profiles/slic3r-generic-abs.ini', 'models/door-sign.stl', '--output', join(scratch, 'sign.gcode')], {
    cwd: sources,
    stdio: 'ignore',
  })
  writeFileSync(join(fixtures, 'slic3r-abs.gcode'), readFileSync(join(scratch, 'sign.gcode')))
} finally {
  rmSync(scratch, { recursive: true })
}

/** Enough of a long file to hold its header, a few layers and its end. */
function firstAndLastLines(gcode) {
  const lines = gcode.split('\n')
  return [...lines.slice(0, 400), ...lines.slice(-40)].join('\n')
}
