{{/* The labels of one role. Takes its name. */}}
{{- define "labels" -}}
app.kubernetes.io/part-of: remitgraph
app.kubernetes.io/name: {{ . }}
{{- end }}

{{/* The parts that all pods have. Takes the root. */}}
{{- define "pod" -}}
automountServiceAccountToken: false
securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: RuntimeDefault } }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.volumes }}
volumes: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The parts that all containers have. Takes the root. */}}
{{- define "container" -}}
name: remitgraph
{{- with .Values.image }}
image: {{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
envFrom:
  - configMapRef: { name: remitgraph }
  - secretRef: { name: {{ .Values.secretName }} }
securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
{{- with .Values.volumeMounts }}
volumeMounts: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
