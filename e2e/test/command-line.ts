import { ensureProgram } from '../../scripts/toolchain.mjs'

/** The command line, bundled as `npm start` and the releases have it, of the sources as they are. */
export const commandLine: string = await ensureProgram(process.execPath)
