// Writes the models that the demo files are sliced from. Each is a union of convex prisms: slicers merge overlapping
// shells, so no Boolean geometry is needed and the files stay at a few hundred triangles.
import { writeFileSync } from 'node:fs'

const here = new URL('./models/', import.meta.url)

/** A prism over a convex polygon (counter-clockwise, mm) from z0 to z1, as triangles of three points each. */
function prism(polygon, z0, z1) {
  const triangles = []
  for (let i = 1; i < polygon.length - 1; i++) {
    const [a, b, c] = [polygon[0], polygon[i], polygon[i + 1]]
    triangles.push([[...a, z1], [...b, z1], [...c, z1]], [[...a, z0], [...c, z0], [...b, z0]])
  }
  for (let i = 0; i < polygon.length; i++) {
    const [a, b] = [polygon[i], polygon[(i + 1) % polygon.length]]
    triangles.push([[...a, z0], [...b, z0], [...b, z1]], [[...a, z0], [...b, z1], [...a, z1]])
  }
  return triangles
}

const box = (x0, y0, z0, x1, y1, z1) => prism([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], z0, z1)

/** A ring segment around (cx, cy) between two radii, cut into convex quadrilaterals. */
function arc(cx, cy, inner, outer, fromDeg, toDeg, steps, z0, z1) {
  const at = (radius, deg) => [cx + radius * Math.cos((deg * Math.PI) / 180), cy + radius * Math.sin((deg * Math.PI) / 180)]
  const triangles = []
  for (let i = 0; i < steps; i++) {
    const [a, b] = [fromDeg + ((toDeg - fromDeg) * i) / steps, fromDeg + ((toDeg - fromDeg) * (i + 1)) / steps]
    triangles.push(...prism([at(inner, a), at(outer, a), at(outer, b), at(inner, b)], z0, z1))
  }
  return triangles
}

const models = {
  // An angle for a shelf board: two plates and a rib.
  'shelf-bracket': [
    ...box(0, 0, 0, 50, 4, 20),
    ...box(0, 0, 0, 4, 50, 20),
    ...prism([[3, 3], [34, 3], [3, 34]], 8, 12),
  ],
  // An open box with a slot for the cable in two sides.
  'cable-box': [
    ...box(0, 0, 0, 60, 36, 1.6),
    ...box(0, 0, 0, 60, 1.6, 16),
    ...box(0, 34.4, 0, 60, 36, 16),
    ...box(0, 0, 0, 1.6, 14, 16),
    ...box(0, 22, 0, 1.6, 36, 16),
    ...box(58.4, 0, 0, 60, 14, 16),
    ...box(58.4, 22, 0, 60, 36, 16),
  ],
  // A coat hook lying on its side.
  'wall-hook': [
    ...box(0, 0, 0, 5, 60, 10),
    ...box(4, 8, 0, 16, 13, 10),
    ...arc(16, 20.5, 7.5, 12.5, -90, 60, 15, 0, 10),
  ],
  // A clip that holds a cable against a plate.
  'cable-clip': [
    ...arc(0, 0, 5, 7.5, -55, 235, 24, 0, 10),
    ...box(-16, -9.5, 0, 16, -6.5, 10),
  ],
  // A door sign with raised letters.
  'door-sign': [
    ...box(0, 0, 0, 70, 24, 2.4),
    ...box(8, 5, 2.4, 11, 19, 3.2),
    ...box(19, 5, 2.4, 22, 19, 3.2),
    ...box(10, 10.5, 2.4, 20, 13.5, 3.2),
    ...box(30, 5, 2.4, 33, 19, 3.2),
    ...box(40, 5, 2.4, 43, 19, 3.2),
    ...box(43, 5, 2.4, 52, 8, 3.2),
  ],
}

function stlText(name, triangles) {
  const point = (p) => `      vertex ${p.map((value) => Number(value.toFixed(4))).join(' ')}`
  const facets = triangles.map((t) => `  facet normal 0 0 0\n    outer loop\n${t.map(point).join('\n')}\n    endloop\n  endfacet`)
  return `solid ${name}\n${facets.join('\n')}\nendsolid ${name}\n`
}

function stlBinary(triangles) {
  const bytes = Buffer.alloc(84 + 50 * triangles.length)
  bytes.write('printyard demo model')
  bytes.writeUInt32LE(triangles.length, 80)
  triangles.forEach((triangle, i) => {
    triangle.flat().forEach((value, j) => { bytes.writeFloatLE(value, 84 + 50 * i + 12 + 4 * j) })
  })
  return bytes
}

for (const [name, triangles] of Object.entries(models)) {
  // One model stays readable as text: readers of STL meet both kinds.
  const bytes = name === 'cable-clip' ? stlText(name, triangles) : stlBinary(triangles)
  writeFileSync(new URL(`${name}.stl`, here), bytes)
  console.log(`${name}.stl: ${triangles.length} triangles`)
}
