import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Micros } from './calculation/money.ts'
import { comparable, type Rates } from './calculation/rates.ts'
import { listMaterialPrices } from './settings/cost-settings.queries.ts'
import { getCostSettings } from './settings/cost-settings.service.ts'

const toMicros = (stored: number | null): Micros | null => (stored === null ? null : BigInt(stored))

/** Answers what an account has said of its prices. */
export async function loadRates(sql: Sql, accountId: AccountId): Promise<Rates> {
  const [{ settings, models, printers, filaments, platformFees }, materials] = await Promise.all([
    getCostSettings(sql, accountId),
    listMaterialPrices(sql, accountId),
  ])
  return {
    currency: settings.currency,
    machineHourPrice: toMicros(settings.machine_hour_price),
    watts: settings.watts,
    energyPrice: toMicros(settings.energy_price),
    labourHourPrice: toMicros(settings.labour_hour_price),
    plateLabourSeconds: settings.plate_labour_seconds,
    assemblyLabourSeconds: settings.assembly_labour_seconds,
    orderLabourSeconds: settings.order_labour_seconds,
    models: models.map(({ model, machine_hour_price, watts }) => ({
      model,
      machineHourPrice: toMicros(machine_hour_price),
      watts,
    })),
    printers: new Map(
      printers.map(({ printer_id, machine_hour_price, watts }) => [
        printer_id,
        { machineHourPrice: toMicros(machine_hour_price), watts },
      ]),
    ),
    filamentPrices: new Map(filaments.map(({ filament_type, price }) => [comparable(filament_type), BigInt(price)])),
    spoolPrices: materials
      .filter(({ kind }) => kind === 'filament')
      .map(({ id, type, color, price }) => ({ materialId: id, type, color, price: BigInt(price) })),
    materialPrices: new Map(materials.map(({ id, price }) => [id, BigInt(price)])),
    platformFees: new Map(
      platformFees.map(({ platform, share_ppm, fixed }) => [platform, { sharePpm: share_ppm, fixed: BigInt(fixed) }]),
    ),
  }
}
