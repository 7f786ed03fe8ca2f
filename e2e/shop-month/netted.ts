import { attempt, codeOfSku, type ProductionWay, type Shop } from './shop.ts'

interface Produced {
  jobs: {
    job_id: string
    outputs: { product_sku_id: string; units: number }[]
    plates: number
    surplus: { product_sku_id: string; units: number }[]
    serves: { product_sku_id: string; units: number }[]
  }[]
  refused: { code: string; message: string }[]
}

/** Only what no supply covers is queued, for all orders together; what is not needed any more is cancelled. */
export function produceNetted(shop: () => Shop): ProductionWay {
  const nothing = async () => undefined
  return {
    keepsEngravings: true,
    order: nothing,
    lose: nothing,
    assemble: nothing,
    async round() {
      const { api, record, furnished } = shop()
      await cancelUnwanted(shop())
      const { jobs, refused } = await api.post<Produced>('/production/produce')
      for (const { code, message } of refused) record.wrong.push(`produce refused: ${code}: ${message}`)
      for (const { serves, surplus, outputs, plates } of jobs) {
        for (const { product_sku_id, units } of serves)
          record.served.add(codeOfSku({ furnished }, product_sku_id), units)
        for (const { product_sku_id, units } of surplus) {
          record.toldSurplus.add(codeOfSku({ furnished }, product_sku_id), units)
        }
        for (const { product_sku_id, units } of outputs) {
          const told = [...serves, ...surplus].filter((part) => part.product_sku_id === product_sku_id)
          const sum = told.reduce((total, part) => total + part.units, 0)
          if (sum !== plates * units) record.wrong.push(`a job yields ${plates * units} units and tells of ${sum}`)
        }
      }
    },
    cancel: () => cancelUnwanted(shop()),
  }
}

async function cancelUnwanted({ api, record, furnished }: Shop): Promise<void> {
  const unwanted = await api.get<{ job_ids: string[]; assembly_task_ids: string[] }>('/production/unwanted')
  for (const id of unwanted.job_ids) {
    const { outputs } = await api.get<{ outputs: { product_sku_id: string; units: number }[] }>(`/jobs/${id}/plan`)
    const cancelled = await attempt(record, api.post(`/jobs/${id}/cancel`))
    if (cancelled === undefined) continue
    record.jobsCancelled += 1
    for (const { product_sku_id, units } of outputs) {
      record.givenUp.add(codeOfSku({ furnished }, product_sku_id), units)
    }
  }
  for (const id of unwanted.assembly_task_ids) {
    await attempt(record, api.patch(`/assembly/${id}`, { status: 'cancelled' }))
  }
}
