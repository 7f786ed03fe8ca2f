/** What the worklist shows, as it stands in the address. What is not understood is left out. */
interface WorklistSearch {
  who?: 'me' | 'nobody' | undefined
  type?: (typeof types)[number] | undefined
  location?: string | undefined
  /** The task that is looked at. */
  task?: string | undefined
}

const types = ['collection', 'filament_change', 'assembly', 'quality_check', 'maintenance'] as const

export function readWorklistSearch(search: Record<string, unknown>): WorklistSearch {
  const { who, location, task } = search
  const type = types.find((each) => each === search.type)
  return {
    ...((who === 'me' || who === 'nobody') && { who }),
    ...(type && { type }),
    ...(typeof location === 'string' && location !== '' && { location }),
    ...(typeof task === 'string' && task !== '' && { task }),
  }
}
