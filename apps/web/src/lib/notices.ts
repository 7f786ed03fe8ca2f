/** Closes the notifications that are still shown: who comes next at this device is not to read them. */
export async function closeNotices(): Promise<void> {
  const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined
  const registration = await workers?.getRegistration()
  for (const notice of (await registration?.getNotifications()) ?? []) notice.close()
}
