import { createSocket } from 'node:dgram'

interface BambuAnnouncerOptions {
  serial: string
  /** As the maker codes it, such as `C12`. */
  modelCode: string
  name: string
  /** Address at which it says that it can be reached. */
  location: string
  /** Receiver: address and port. */
  to: { address: string; port: number }
}

/** Says once that a Bambu Lab printer is there, as the real ones do every few seconds. */
export async function announceBambuPrinter(options: BambuAnnouncerOptions): Promise<void> {
  const { serial, modelCode, name, location, to } = options
  const text = [
    'NOTIFY * HTTP/1.1',
    'HOST: 239.255.255.250:1990',
    'Server: UPnP/1.0',
    `Location: ${location}`,
    'NT: urn:bambulab-com:device:3dprinter:1',
    `USN: ${serial}`,
    'Cache-Control: max-age=1800',
    `DevModel.bambu.com: ${modelCode}`,
    `DevName.bambu.com: ${name}`,
    'DevSignal.bambu.com: -47',
    'DevConnect.bambu.com: lan',
    'DevBind.bambu.com: free',
    'DevVersion.bambu.com: 01.08.02.00',
    '',
    '',
  ].join('\r\n')
  const socket = createSocket('udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.send(text, to.port, to.address, (error) => (error ? reject(error) : resolve()))
    })
  } finally {
    socket.close()
  }
}
