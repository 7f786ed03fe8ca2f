/** What a person saw at a printer that the service cannot see. */
export const sightings = ['printed', 'failed', 'not_started'] as const
export type Sighting = (typeof sightings)[number]
