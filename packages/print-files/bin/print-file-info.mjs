#!/usr/bin/env node
import { runPrintFileInfo } from '../src/print-file-info.ts'

process.exitCode = await runPrintFileInfo(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
