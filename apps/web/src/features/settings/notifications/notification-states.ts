/** Those that the log of notifications may be kept to, as they stand in the address. */
export const notificationStates = ['pending', 'sent', 'failed'] as const
export type NotificationState = (typeof notificationStates)[number]
