import { expect, test } from 'vitest'
import { cameraAddress, ownCameraAddress, requireJpeg } from './camera-http.ts'

const printer = new URL('http://192.0.2.40:5000/octoprint/')

test.each([
  ['/webcam/?action=snapshot', 'http://192.0.2.40:5000/webcam/?action=snapshot'],
  ['webcam/?action=snapshot', 'http://192.0.2.40:5000/octoprint/webcam/?action=snapshot'],
  ['http://127.0.0.1:8080/?action=snapshot', 'http://192.0.2.40:8080/?action=snapshot'],
  ['http://localhost:8080/shot.jpg', 'http://192.0.2.40:8080/shot.jpg'],
  ['http://[::1]:8080/shot.jpg', 'http://192.0.2.40:8080/shot.jpg'],
  ['https://192.0.2.40/shot.jpg', 'https://192.0.2.40/shot.jpg'],
])('%s is asked at the printer, as %s', (named, asked) => {
  expect(cameraAddress(named, printer).href).toBe(asked)
})

test.each([
  ['http://192.0.2.1/admin', 'CAMERA_REFUSED', 'camera_url'],
  ['//192.0.2.1/admin', 'CAMERA_REFUSED', 'camera_url'],
  ['http://192.0.2.40@192.0.2.1/', 'CAMERA_REFUSED', 'camera_url'],
  ['http://169.254.169.254/latest/meta-data', 'CAMERA_REFUSED', 'camera_url'],
  ['http://', 'CAMERA_REFUSED', 'cannot be understood'],
  ['rtsp://192.0.2.40/live', 'NOT_SUPPORTED', 'rtsp'],
  ['file:///etc/passwd', 'NOT_SUPPORTED', 'no single pictures'],
])('%s, which a person wrote into the settings of a printer, is not asked', (named, code, words) => {
  expect(() => cameraAddress(named, printer)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(words) }),
  )
})

test('a camera that an operator named may be anywhere', () => {
  expect(ownCameraAddress('http://192.0.2.77/shot.jpg').hostname).toBe('192.0.2.77')
  expect(() => ownCameraAddress('file:///etc/passwd')).toThrow(expect.objectContaining({ code: 'NOT_SUPPORTED' }))
})

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9])

test('what a camera pads a picture with is cut away', () => {
  expect(requireJpeg(Buffer.concat([jpeg, Buffer.from('\r\n\0\0')]))).toEqual(jpeg)
})

test.each([
  ['nothing', Buffer.alloc(0), 'NOT_A_PICTURE'],
  ['a page', Buffer.from('<html>'), 'NOT_A_PICTURE'],
  ['a picture that is cut off', jpeg.subarray(0, 6), 'NOT_A_PICTURE'],
  ['a picture of more than 2 MiB', Buffer.concat([jpeg, Buffer.alloc(2 * 1024 * 1024)]), 'TOO_LARGE'],
])('%s is no picture', (_name, bytes, code) => {
  expect(() => requireJpeg(bytes)).toThrow(expect.objectContaining({ code }))
})
