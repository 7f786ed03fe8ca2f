/** How tiles are laid out on a screen. */
interface TileLayout {
  columns: number
  rows: number
  pages: number
}

/** Below this a tile cannot be read from across a room. In px. */
const smallest = { width: 210, height: 120 }

/** A tile looks best a little wider than high. */
const bestRatio = 1.7

/** The largest tiles with which all of them fit; when they would become too small, the screen turns pages. */
export function fitTiles(count: number, width: number, height: number): TileLayout {
  const mostColumns = Math.max(1, Math.floor(width / smallest.width))
  const mostRows = Math.max(1, Math.floor(height / smallest.height))
  const wanted = Math.max(1, count)
  if (wanted > mostColumns * mostRows) {
    return { columns: mostColumns, rows: mostRows, pages: Math.ceil(wanted / (mostColumns * mostRows)) }
  }
  let best: TileLayout & { score: number } = { columns: 1, rows: wanted, pages: 1, score: Number.NEGATIVE_INFINITY }
  for (let columns = 1; columns <= mostColumns; columns += 1) {
    const rows = Math.ceil(wanted / columns)
    if (rows > mostRows) continue
    const [tileWidth, tileHeight] = [width / columns, height / rows]
    const score = Math.min(tileWidth, tileHeight * bestRatio)
    if (score > best.score) best = { columns, rows, pages: 1, score }
  }
  return { columns: best.columns, rows: best.rows, pages: 1 }
}
