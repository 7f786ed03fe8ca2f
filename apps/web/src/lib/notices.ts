/**
 * Closes the notifications that are still shown, and with `isLast` ends those to come: who comes next at this device is not to read
 * them. The push service then tells ours that the device is gone.
 */
export async function closeNotices(isLast: boolean): Promise<void> {
  const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined
  const registration = await workers?.getRegistration()
  for (const notice of (await registration?.getNotifications()) ?? []) notice.close()
  if (isLast) await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
