import { readPrintFile } from '@printyard/print-files/read-print-file'
import { withTemporaryFile } from '@printyard/print-files/test/temporary-file'
import { drawFarm } from '@printyard/virtual-printers/farm/farm-plan'
import { expect, test } from 'vitest'
import { writeSlicedFile } from './sliced-file.ts'

test('a planned file is read as what was planned', async () => {
  for (const file of drawFarm({ seed: 1, printers: 20, hours: 1 }).files) {
    const read = await withTemporaryFile(writeSlicedFile(file), (path) => readPrintFile(path))
    expect(read).toMatchObject({
      isSliced: true,
      printerModel: file.model,
      nozzleDiametersMm: [file.nozzle],
      printTimeSeconds: file.printSeconds,
    })
    expect(read.filaments).toMatchObject([{ type: file.filament.type, weightG: file.grams }])
  }
})
