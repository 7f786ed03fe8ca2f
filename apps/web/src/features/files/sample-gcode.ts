const [left, right] = [80, 120]
const layers = 4
const loops = 5
const layerMm = 0.25
const lineMm = 0.45
const feedMmPerMinute = 1_100
/** Of filament, for a millimetre of line: its cross-section over that of filament of 1.75 mm. */
const feedPerMm = (layerMm * lineMm) / (Math.PI * (1.75 / 2) ** 2)

/** A square of 40 mm, a millimetre high: small enough to be printed in three minutes on any bed, by any printer that reads G-code. */
export function sampleGcode(): string {
  const moves: string[] = []
  let fed = 0
  for (let layer = 0; layer < layers; layer += 1) {
    moves.push(`;LAYER:${layer}`, `G1 Z${((layer + 1) * layerMm).toFixed(2)} F600`)
    for (let loop = 0; loop < loops; loop += 1) {
      const [near, far] = [left + loop * lineMm, right - loop * lineMm]
      moves.push(`G0 X${near.toFixed(2)} Y${near.toFixed(2)} F6000`)
      for (const [x, y] of [
        [far, near],
        [far, far],
        [near, far],
        [near, near],
      ]) {
        fed += (far - near) * feedPerMm
        moves.push(`G1 X${x?.toFixed(2)} Y${y?.toFixed(2)} E${fed.toFixed(4)} F${feedMmPerMinute}`)
      }
    }
  }
  return [
    '; Sample of Printyard: a square of 40 mm',
    'M140 S60',
    'M104 S210',
    'G21',
    'G90',
    'M82',
    'G28',
    'M190 S60',
    'M109 S210',
    'G92 E0',
    ...moves,
    'M107',
    'M104 S0',
    'M140 S0',
    'G91',
    'G1 Z10 F600',
    'G90',
    'M84',
    `; filament used [mm] = ${fed.toFixed(1)}`,
    `; filament used [g] = ${((fed * Math.PI * (1.75 / 2) ** 2 * 1.24) / 1_000).toFixed(2)}`,
    '; filament_type = PLA',
    '; estimated printing time (normal mode) = 3m 0s',
    '',
  ].join('\n')
}
