# Starts a Redis with TLS, an authority of its own, and the users of redis-users.acl: put that file into this folder as users.acl,
# with your tenant's name and your passwords. Valkey takes the same files. A test runs these commands as they are.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=fleet-ca -keyout ca.key -out ca.crt
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=store -keyout store.key -out store.csr
echo subjectAltName=DNS:store.example,DNS:localhost,IP:127.0.0.1 > store.ext
openssl x509 -req -in store.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 825 -extfile store.ext -out store.crt
chmod 600 ca.key store.key users.acl
cat > fleet.conf <<END
port 0
tls-port 6380
tls-cert-file store.crt
tls-key-file store.key
tls-ca-cert-file ca.crt
tls-auth-clients no
aclfile users.acl
save ""
maxmemory 512mb
maxmemory-policy noeviction
proto-max-bulk-len 1mb
END
redis-server fleet.conf
