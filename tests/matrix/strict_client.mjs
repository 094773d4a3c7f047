// A person's client that is strict: it writes for, and reads from, only devices that their owners signed.
//
// argv: where matrix-js-sdk is installed, the homeserver, the person, the password. Each line of stdin is a call,
// [name, ...arguments] in JSON; each line of stdout is what it gave.

import { createDecipheriv, createHash } from "node:crypto";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [home, baseUrl, user, password] = process.argv.slice(2);
const installed = createRequire(pathToFileURL(`${home}/`));
const load = (name) => import(pathToFileURL(installed.resolve(name)));
const { createClient, ClientEvent, MemoryStore } = await load("matrix-js-sdk");
const { OnlySignedDevicesIsolationMode } = await load("matrix-js-sdk/lib/crypto-api/index.js");
const { logger } = await load("matrix-js-sdk/lib/logger.js");

logger.setLevel("silent");
for (const level of ["debug", "info", "log", "warn", "error"]) console[level] = () => {};

const login = { type: "m.login.password", identifier: { type: "m.id.user", user }, password };
const { access_token: accessToken, device_id: deviceId } = await createClient({ baseUrl }).loginRequest(login);
const client = createClient({ baseUrl, userId: user, accessToken, deviceId, store: new MemoryStore() });
await client.initRustCrypto({ useIndexedDB: false });
const crypto = client.getCrypto();
crypto.setDeviceIsolationMode(new OnlySignedDevicesIsolationMode());
const authUploadDeviceSigningKeys = (upload) => upload({ type: "m.login.password", ...login });
await crypto.bootstrapCrossSigning({ setupNewCrossSigning: true, authUploadDeviceSigningKeys });
const synced = new Promise((done) => client.once(ClientEvent.Sync, done));
await client.startClient({ initialSyncLimit: 100, threadSupport: true });
await synced;

// The bytes of an encrypted file (the specification's «Sending encrypted attachments»).
async function opened(file) {
    const url = client.mxcUrlToHttp(file.url, undefined, undefined, undefined, true, true, true);
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${accessToken}` } });
    const data = Buffer.from(await answer.arrayBuffer());
    if (createHash("sha256").update(data).digest("base64").replace(/=+$/, "") !== file.hashes.sha256) return null;
    const key = Buffer.from(file.key.k, "base64url");
    const cipher = createDecipheriv("aes-256-ctr", key, Buffer.from(file.iv, "base64"));
    return Buffer.concat([cipher.update(data), cipher.final()]).toString("base64");
}

async function told(event) {
    const content = event.getContent(); // of the last edit, where there is one
    const { shieldColour } = (await crypto.getEncryptionInfoForEvent(event)) ?? {};
    return {
        body: content.body ?? "",
        kind: content.msgtype ?? "",
        edited: event.replacingEvent() !== null,
        encrypted: event.isEncrypted(),
        shield: shieldColour ?? null,
        unreadable: event.decryptionFailureReason,
        data: content.file ? await opened(content.file) : null,
    };
}

const calls = {
    async room(...invite) {
        const algorithm = "m.megolm.v1.aes-sha2";
        const encryption = { type: "m.room.encryption", state_key: "", content: { algorithm } };
        return (await client.createRoom({ invite, initial_state: [encryption] })).room_id;
    },
    async joined(room) {
        return (await client.getJoinedRoomMembers(room)).joined;
    },
    async says(room, body) {
        return (await client.sendMessage(room, { msgtype: "m.text", body })).event_id;
    },
    // What others said there, as it stands now; edits are in what they change.
    async seen(room) {
        const found = client.getRoom(room)?.getLiveTimeline().getEvents() ?? [];
        const said = found.filter((event) => event.getSender() !== user && !event.isRelation("m.replace"));
        const messages = said.filter((event) => /^m.room.(message|encrypted)$/.test(event.getType()));
        return Promise.all(messages.map(told));
    },
};

for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...words] = JSON.parse(line);
    process.stdout.write(`${JSON.stringify(await calls[name](...words))}\n`);
}
process.exit();
