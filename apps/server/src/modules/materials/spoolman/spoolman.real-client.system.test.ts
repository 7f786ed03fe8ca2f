import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isPeerThere, peersFolder } from '../../../../../../scripts/pending-peers.mjs'
import { openTestSpoolman } from '../../../test/services/test-spoolman.ts'

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

/**
 * Writes by HTTP, since this client only reads, and reads each answer by the models of the client: they refuse what lacks a field
 * that Spoolman gives.
 */
const writes = `
import asyncio, json, sys
from urllib.parse import urlparse
from spoolman import Spoolman
from spoolman.models import Filament, Spool, Vendor

async def main():
    url = urlparse(sys.argv[1])
    async with Spoolman(url.hostname, url.port) as client:
        await client.info()
        async def send(method, path, **body):
            async with client.session.request(method, f"{sys.argv[1]}/api/v1/{path}", json=body) as response:
                return response.status, await response.json()
        vendor = Vendor.from_dict((await send("POST", "vendor", name="Prusament", external_id="prusament"))[1])
        filament = Filament.from_dict((await send("POST", "filament", name="Galaxy Black", vendor_id=vendor.id, material="PETG",
                                                  density=1.27, diameter=1.75, weight=1000, spool_weight=250, external_id="petg",
                                                  color_hex="3D3E3D", settings_extruder_temp=240, settings_bed_temp=85))[1])
        made = Spool.from_dict((await send("POST", "spool", filament_id=filament.id, remaining_weight=900))[1])
        figures = [made.used_weight]
        for path, body in (("use", {"use_weight": 12.5}), ("use", {"use_length": 1000}), ("measure", {"weight": 1050})):
            figures.append(round(Spool.from_dict((await send("PUT", f"spool/{made.id}/{path}", **body))[1]).used_weight, 3))
        moved = (await send("PATCH", f"spool/{made.id}", location="Rack 2", lot_nr="L7"))[1]
        read = await client.get_spool(made.id)
        refused = [(await send(*each[:2], **each[2]))[0] for each in (
            ("POST", "filament", {"name": "no density"}),
            ("POST", "spool", {"filament_id": 99}),
            ("POST", "spool", {"filament_id": filament.id, "remaining_weight": 1, "used_weight": 1}),
            ("PUT", f"spool/{made.id}/use", {"use_weight": 1, "use_length": 1}),
            ("DELETE", f"filament/{filament.id}", {}),
        )]
        await send("DELETE", f"spool/{made.id}")
        await send("DELETE", f"vendor/{vendor.id}")
        print(json.dumps({
            "figures": figures, "read": [moved["location"], read.filament.vendor.name, Spool.from_dict(moved).used_weight == read.used_weight],
            "refused": refused, "spools": len(await client.get_spools()), "vendors": len(await client.get_vendors()),
            "filament": "vendor" not in (await send("GET", f"filament/{filament.id}"))[1],
        }))

asyncio.run(main())
`

const isInstalled = isPeerThere('spoolman')
const python = join(peersFolder, 'spoolman/bin/python')

test.skipIf(!isInstalled)(
  'what is written to the simulator is answered as Spoolman answers it, and read by its client',
  async () => {
    const spoolman = await openTestSpoolman()
    try {
      const { stdout } = await promisify(execFile)(python, ['-c', writes, spoolman.url], {
        timeout: 60_000,
      })
      expect(JSON.parse(stdout)).toEqual({
        figures: [100, 112.5, 115.555, 200],
        read: ['Rack 2', 'Prusament', true],
        ...{ refused: [422, 404, 400, 400, 403], spools: 0, vendors: 0, filament: true },
      })
    } finally {
      await spoolman.close()
    }
  },
  90_000,
)

test.skipIf(!isInstalled)(
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
      const { stdout } = await promisify(execFile)(python, ['-c', script, spoolman.url], {
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
