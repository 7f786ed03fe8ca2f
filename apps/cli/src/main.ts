import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Stripping types and compiling cost a start half a second and 20 MB; the second start finds both done. Where the folder
// cannot be written, Node goes on without.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
const { runProgram } = await import('./program.ts')

// Anyone who reads our output may have seen enough (`printyard openapi | head`); that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
})

const exitCode = await runProgram(process.argv.slice(2))
// Not left to the last open handle, because a failed start may leave some; but not before a slow reader has all of it.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)))
