import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openTestSpoolman } from '../../../test/services/test-spoolman.ts'

const peer = fileURLToPath(new URL('../../../../../../.peers/spoolman', import.meta.url))

/** Reads all there is by the client of others, and prints what it made of it. */
const script = `
import asyncio, json, sys
from urllib.parse import urlparse
from spoolman import Spoolman
from spoolman.exceptions import SpoolmanResponseError

async def main():
    url = urlparse(sys.argv[1])
    async with Spoolman(url.hostname, url.port) as client:
        spools = await client.get_spools()
        spool = await client.get_spool(spools[0].id)
        filaments, vendors = await client.get_filaments(), await client.get_vendors()
        try:
            await client.get_spool(99)
            missing = None
        except SpoolmanResponseError as error:
            missing = str(error)
        print(json.dumps({
            "version": (await client.info()).version,
            "healthy": await client.health(),
            "spools": [each.id for each in spools],
            "spool": [spool.filament.vendor.name, spool.filament.material, spool.used_weight, spool.remaining_weight,
                      round(spool.remaining_length), spool.last_used is not None],
            "filament": [filaments[0].id == (await client.get_filament(filaments[0].id)).id, filaments[0].color],
            "vendor": (await client.get_vendor(vendors[0].id)).name,
            "missing": missing,
        }))

asyncio.run(main())
`

test.skipIf(!existsSync(`${peer}/.installed-from`))(
  'the simulator answers the Python client of Spoolman as Spoolman does',
  async () => {
    const spoolman = await openTestSpoolman()
    try {
      const filament = spoolman.addFilament({
        ...{ name: 'Galaxy Black', vendor: spoolman.addVendor('Prusament'), material: 'PETG', color_hex: '3D3E3D' },
        ...{ weight: 1000, spool_weight: 250, external_id: 'prusament_petg', density: 1.27 },
        ...{ settings_extruder_temp: 240, settings_bed_temp: 85 },
      })
      const spool = spoolman.addSpool(filament)
      spoolman.addSpool(filament, { archived: true })
      const used = await fetch(`${spoolman.url}/api/v1/spool/${spool.id}/use`, {
        ...{ method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"use_weight": 12.5}' },
      })
      expect(used.status).toBe(200)
      const { stdout } = await promisify(execFile)(`${peer}/bin/python`, ['-c', script, spoolman.url], {
        timeout: 60_000,
      })
      expect(JSON.parse(stdout)).toEqual({
        ...{ version: '0.26.1', healthy: true, spools: [spool.id] },
        spool: ['Prusament', 'PETG', 12.5, 987.5, 323_271, true],
        ...{
          filament: [true, '3D3E3D'],
          vendor: 'Prusament',
          missing: expect.stringContaining('No spool with ID 99 found'),
        },
      })
    } finally {
      await spoolman.close()
    }
  },
  90_000,
)
