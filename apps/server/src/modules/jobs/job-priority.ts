/** Priorities of a job, the lowest first. Before everything else it decides about the order of the queue. */
export const jobPriorities = ['low', 'normal', 'high', 'urgent'] as const
export type JobPriority = (typeof jobPriorities)[number]
